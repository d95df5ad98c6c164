/** Running games as a page shows them, while the list is asked for again and again. */
import type { GameSummary } from '$lib/protocol/protocol';

/** A game that is shown. */
export interface Shown {
  game: GameSummary;
  /** It has ended since; its end is left to be seen until the next round. */
  over: boolean;
}

/**
 * What is shown after another round: those that go on stay in their places, those that have ended stay for one round, and new
 * ones come in front, so that nothing moves under a hand that is about to click more than it has to.
 */
export function nextRound(shown: readonly Shown[], games: readonly GameSummary[]): Shown[] {
  const running = new Map(games.map((game) => [game.game, game]));
  const before = new Set(shown.map(({ game }) => game.game));
  const stay = shown.flatMap(({ game, over }): Shown[] => {
    const again = running.get(game.game);
    if (again) return [{ game: again, over: false }];
    return over ? [] : [{ game, over: true }];
  });
  const fresh = games.filter((game) => !before.has(game.game)).map((game) => ({ game, over: false }));
  return [...fresh, ...stay];
}
