/** Running games as a page shows them, while the list is asked for again and again. */
import type { LiveGame } from '$lib/protocol/protocol';

/** A game that is shown. */
export interface Shown {
  game: LiveGame;
  /** It has ended since; its end is left to be seen until the next round. */
  over: boolean;
}

/**
 * What is shown after another round: those that go on stay in their places, those that have ended stay for one round, and new
 * ones come before those that the server names after them, so that nothing moves under a hand that is about to click more than it has to.
 */
export function nextRound(shown: readonly Shown[], games: readonly LiveGame[]): Shown[] {
  const rank = new Map(games.map(({ game }, at) => [game, at]));
  const before = new Set(shown.map(({ game }) => game.game));
  const next = shown.flatMap(({ game, over }): Shown[] => {
    const again = games[rank.get(game.game) ?? -1];
    if (again) return [{ game: again, over: false }];
    return over ? [] : [{ game, over: true }];
  });
  for (const [at, game] of games.entries()) {
    if (before.has(game.game)) continue;
    const later = next.findIndex(({ game: other }) => (rank.get(other.game) ?? -1) > at);
    next.splice(later < 0 ? next.length : later, 0, { game, over: false });
  }
  return next;
}
