import { session } from '$lib/session.svelte';
import { play } from '$lib/sound';
import { LiveGame } from './live.svelte';

/**
 * Begins to follow a game over the connection of the page, with its sounds. The page that shows it closes it, and has the spaces
 * `game` and `board`.
 */
export function openGame(id: string): LiveGame {
  const { connection } = session;
  return new LiveGame(id, {
    connection,
    me: () => connection.player?.id ?? null,
    ensurePlayer: () => session.ensurePlayer(),
    play,
    after(ms, then) {
      const timer = setTimeout(then, ms);
      return () => clearTimeout(timer);
    }
  });
}
