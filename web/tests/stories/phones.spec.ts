/** A phone, in the hand and on its side: what a player needs is on the screen when it is needed. */
import { commands } from '../harness/fixtures';
import { LUZHANQI } from '../harness/games';
import { isInView, isPictured } from '../harness/looks';
import { expect, test } from '../harness/story';

const HANDS = {
  'in the hand': { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  'on its side': { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true }
};

for (const [how, phone] of Object.entries(HANDS)) {
  test(`a phone ${how} plays Luzhanqi from the setup to the rematch`, async ({ arrive }) => {
    const [anna, ben] = [await arrive('anna', phone), await arrive('ben')];
    await anna.becomesGuest();
    await ben.becomesGuest();
    const clock = { clock: { type: 'fischer', initial_ms: 600_000, increment_ms: 0 } };
    const game = await anna.opens({ ruleset: LUZHANQI.ruleset, time_control: clock });
    await commands(ben, game, 'join');
    await anna.asks('PUT', `/api/games/${game}/setup`, { setup: LUZHANQI.setups?.first });
    await ben.asks('PUT', `/api/games/${game}/setup`, { setup: LUZHANQI.setups?.second });
    const { page } = anna;
    await page.goto(`/game/${game}`);
    await expect(anna.square('a6')).toHaveAccessibleName(/marshal/);
    const ready = page.getByRole('button', { name: 'Ready' });
    await isInView(page.getByText(/left/).first(), 'the time for the setup');
    await isInView(ready, 'the button that ends the setup');
    for (const square of ['a1', 'e1', 'a6', 'e6']) await isInView(anna.square(square), `${square} in the setup`);
    await isPictured(page, `phone-setup-${phone.viewport.width}`, false);
    await ready.tap();
    await commands(ben, game, 'ready');
    await expect(ready).toBeHidden();

    for (const [index, move] of LUZHANQI.moves.entries()) {
      if (index % 2 === 1) {
        await commands(ben, game, 'move', { ply: index + 1, move });
      } else {
        for (const square of [move.slice(0, -2), move.slice(-2)]) {
          const name = /^[a-e]\d+$/.test(square) ? square : null;
          if (name && index < 4) await isInView(anna.square(name), `${name} before ply ${index + 1}`);
        }
        await anna.plays(move, 'touch');
      }
      await anna.seesPly(index + 1);
      if (index === 2) {
        await commands(ben, game, 'offer_draw');
        const offer = page.getByRole('group', { name: 'Draw' });
        await isInView(offer, 'the offer of a draw');
        await isPictured(page, `phone-draw-${phone.viewport.width}`, false);
        await offer.getByRole('button', { name: 'Decline' }).tap();
        await expect(offer).toBeHidden();
      }
    }
    await isInView(anna.result().getByRole('heading'), 'the result');
    const rematch = anna.result().getByRole('button', { name: 'Rematch' });
    await isInView(rematch, 'the rematch');
    await isPictured(page, `phone-result-${phone.viewport.width}`, false);
    await rematch.tap();
    await commands(ben, game, 'rematch');
    await expect(page).not.toHaveURL(new RegExp(game));
    await isInView(ready, 'the button that ends the next setup');
  });
}
