import { api } from '$lib/protocol/http';
import { session } from '$lib/session.svelte';
import { settings } from '$lib/settings.svelte';
import { play } from '$lib/sound';
import { LiveGame } from './live.svelte';
import { Practice } from './practice.svelte';

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
    after
  });
}

/** Help in a game that is followed. The page that shows it closes it. */
export function openPractice(live: LiveGame): Practice {
  return new Practice(live, {
    ask: (game, move, signal) => api.hint(game, move, signal),
    warns: () => settings.warnBlunders,
    play,
    after
  });
}

function after(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}
