/** The clocks of a page are those of the server. */
import { DOU_SHOU_QI } from '../harness/games';
import { playsOut } from '../harness/fixtures';
import { expect, test } from '../harness/story';

/** By how much a page may be wrong, in milliseconds. */
const TOLERANCE_MS = 100;
/** What the smallest digit of a clock stands for, in milliseconds. */
const DIGIT_MS = 100;

test('both players and a spectator see the running clock as the server has it', async ({ arrive }) => {
  const [first, second] = [await arrive('anna'), await arrive('ben')];
  const spectator = await arrive('cleo');
  await first.becomesGuest();
  await second.becomesGuest();
  // So short that tenths are shown, and so long that nobody loses meanwhile.
  const clock = { type: 'byoyomi', main_ms: 0, period_ms: 9_900, periods: 100 };
  const some = { ...DOU_SHOU_QI, moves: DOU_SHOU_QI.moves.slice(0, 2) };
  const game = await playsOut(first, second, some, { time_control: { clock } });
  for (const visitor of [first, second, spectator]) {
    await visitor.page.goto(`/game/${game}`);
    await visitor.seesPly(2);
  }
  await expect(first.page.locator('[role="timer"].running, .clock.running').first()).toBeVisible();

  for (const visitor of [first, second, spectator]) {
    // While a page is still loading its answers come late; then it asks for the time again.
    await expect(async () => {
      // In the page itself, so that no way between processes is counted: the time that the digits change at.
      const shown = await visitor.page.evaluate(async (id) => {
        const timer = document.querySelector('.clock.running .time');
        if (!timer) throw new Error('no clock runs');
        const before = timer.textContent;
        await new Promise<void>((resolve) => {
          const observer = new MutationObserver(() => {
            if (timer.textContent === before) return;
            observer.disconnect();
            resolve();
          });
          observer.observe(timer, { childList: true, characterData: true, subtree: true });
        });
        const changed = performance.now();
        const text = timer.textContent ?? '';
        const asked = performance.now();
        const view = (await (await fetch(`/api/games/${id}`)).json()) as {
          clocks: { left: Record<string, { ms: number }>; running: string; at: number };
          server_time: number;
        };
        const answered = performance.now();
        return { text, view, sinceChange: (asked + answered) / 2 - changed, way: (answered - asked) / 2 };
      }, game);
      const { clocks, server_time: now } = shown.view;
      const left = clocks.left[clocks.running]?.ms ?? 0;
      // What was left, by the server's own words, when the digits changed; a period that has ended begins again.
      const elapsed = now - clocks.at - shown.sinceChange;
      const expected = (((left - elapsed) % 9_900) + 9_900) % 9_900;
      const [minutes, seconds] = shown.text.split(':').map(Number);
      const told = (minutes ?? 0) * 60_000 + (seconds ?? 0) * 1_000;
      const apart = Math.abs(told - expected);
      const wrong = Math.min(apart, 9_900 - apart);
      expect(
        wrong,
        `${visitor.name}: ${shown.text} for ${expected} ms, the way took ${shown.way} ms`
      ).toBeLessThanOrEqual(TOLERANCE_MS + DIGIT_MS + shown.way);
    }).toPass({ timeout: 10_000 });
  }
});
