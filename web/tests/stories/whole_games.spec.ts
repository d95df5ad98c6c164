/** Two play a whole game of each kind in two browsers, a third watches, a fourth looks on from a phone. */
import { DOU_SHOU_QI, LUZHANQI, XIANGQI, type WholeGame } from '../harness/games';
import { commands } from '../harness/fixtures';
import { isPictured } from '../harness/looks';
import { expect, test } from '../harness/story';
import type { Hand, Visitor } from '../harness/visitor';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Sees the position after so many plies, as everybody who looks at the game does. */
async function sees(visitor: Visitor, whole: WholeGame, plies: number): Promise<void> {
  const last = whole.moves[plies - 1];
  const to = last?.slice(/^[a-z]\d+/.exec(last)?.[0].length ?? 0) ?? '';
  await visitor.seesPly(plies);
  await expect(visitor.square(to)).not.toHaveAccessibleName(/empty/);
}

async function playWhole(
  whole: WholeGame,
  players: { first: Visitor; second: Visitor },
  hands: { first: Hand; second: Hand },
  others: readonly Visitor[]
): Promise<void> {
  for (const [index, move] of whole.moves.entries()) {
    const seat = index % 2 === 0 ? 'first' : 'second';
    await players[seat].plays(move, hands[seat]);
    for (const visitor of [players.first, players.second, ...others]) await sees(visitor, whole, index + 1);
    if (index === Math.floor(whole.moves.length / 2)) {
      const kind = whole.ruleset.split('/')[0] ?? '';
      await isPictured(players.first.page, `playing-${kind}-first`);
      await isPictured(players.second.page, `playing-${kind}-second`);
      for (const visitor of others) await isPictured(visitor.page, `playing-${kind}-${visitor.name}`);
    }
  }
}

for (const [whole, hands] of [
  [DOU_SHOU_QI, { first: 'mouse', second: 'keyboard' }],
  [XIANGQI, { first: 'drag', second: 'keyboard' }],
  [LUZHANQI, { first: 'mouse', second: 'keyboard' }]
] as const) {
  test(`a whole game of ${whole.ruleset} between two browsers, with a spectator and a phone`, async ({ arrive }) => {
    const first = await arrive('anna');
    const second = await arrive('ben');
    const spectator = await arrive('cleo');
    const phone = await arrive('dora-on-a-phone', PHONE);
    await first.becomesGuest();
    await second.becomesGuest();
    const game = await first.opens({ ruleset: whole.ruleset });
    await commands(second, game, 'join');
    if (whole.setups) {
      for (const [visitor, setup] of [
        [first, whole.setups.first],
        [second, whole.setups.second]
      ] as const) {
        await visitor.asks('PUT', `/api/games/${game}/setup`, { setup });
        await visitor.page.goto(`/game/${game}`);
        await expect(visitor.page.getByRole('grid')).toBeVisible();
        await isPictured(visitor.page, `setup-${visitor.name}`);
        await visitor.page.getByRole('button', { name: 'Ready' }).click();
        await expect(visitor.page.getByRole('button', { name: 'Ready' })).toBeHidden();
      }
    }
    for (const visitor of [first, second, spectator, phone]) {
      await visitor.page.goto(`/game/${game}`);
      await expect(visitor.page.getByRole('grid')).toBeVisible();
    }
    await playWhole(whole, { first, second }, hands, [spectator, phone]);

    for (const visitor of [first, second, spectator, phone]) {
      await expect(visitor.result()).toBeVisible();
      await isPictured(visitor.page, `ended-${whole.ruleset.split('/')[0] ?? ''}-${visitor.name}`);
    }
    const view = (await (await first.asks('GET', `/api/games/${game}`)).json()) as {
      moves: { move: string }[];
      outcome: { winner: string; reason: string };
    };
    expect(view.moves.map(({ move }) => move)).toEqual(whole.moves);
    expect(view.outcome).toEqual({ winner: whole.winner, reason: whole.reason });
  });
}
