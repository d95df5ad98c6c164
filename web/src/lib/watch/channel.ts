/** What a channel shows while it is asked again and again what is on. */
import type { LiveGame } from '$lib/protocol/protocol';

/** How long the end of a game is left to be seen before the next one comes, in milliseconds. */
export const END_MS = 8_000;

/** What is on the screen. */
export interface OnAir {
  game: LiveGame;
  /** When the channel went on to another game, in server time; null while this one is featured. */
  over: number | null;
}

/** What is shown after the channel was asked at `now` and has named a game, or none. */
export function onAir(shown: OnAir | null, named: LiveGame | null, now: number): OnAir | null {
  if (shown && named?.game === shown.game.game) return { game: named, over: null };
  const over = shown?.over ?? now;
  if (shown && now - over < END_MS) return { game: shown.game, over };
  return named ? { game: named, over: null } : null;
}
