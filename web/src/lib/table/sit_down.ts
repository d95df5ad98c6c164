import { describeMove } from '$lib/board/words';
import { bySquares } from '$lib/game/announce';
import { LiveGame } from '$lib/game/live.svelte';
import { gameOf } from '$lib/game/words';
import { session } from '$lib/session.svelte';
import { play } from '$lib/sound';

/** Begins to look at a game with all that this page has: its connection, its sounds, and the words of the board. */
export function sitDown(id: string): LiveGame {
  return new LiveGame(id, {
    connection: session.connection,
    me: () => session.me?.id ?? null,
    ensurePlayer: () => session.ensurePlayer(),
    play,
    describe: (ruleset, before, move, captured) =>
      before === null
        ? bySquares(ruleset, before, move, captured)
        : describeMove(gameOf(ruleset), before, move, { captured }),
    after: (ms, then) => {
      const timer = setTimeout(then, ms);
      return () => clearTimeout(timer);
    }
  });
}
