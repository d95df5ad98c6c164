/** Which of one's running games wait for oneself: values and functions. */
import { remaining, type Left } from '$lib/game/clock';
import type { OwnGame } from '$lib/protocol/protocol';

/** Own games by their ids, as they stand. Games that are over stay, so that an older answer does not bring them back. */
export type OwnGames = ReadonlyMap<string, OwnGame>;

/** The games after another description of one of them; the same if it is not newer. */
export function withGame(games: OwnGames, game: OwnGame): OwnGames {
  const known = games.get(game.game);
  return known && known.seq >= game.seq ? games : new Map(games).set(game.game, game);
}

/** What a list of all games comes to, together with what has been told since it was asked for. */
export function afterAnswer(answer: readonly OwnGame[], since: OwnGames): OwnGames {
  return answer.reduce(withGame, since);
}

/** What the player has left for the move or for the setup at a server time; null in a game without a clock. */
export function ownTime(game: OwnGame, now: number): Left | null {
  const { setup_until: until, time_control: control, clocks, you } = game;
  if (until !== undefined) return { ms: Math.max(0, until - now), running: true };
  const { clock } = control;
  if (clock.type !== 'byoyomi') return remaining(clocks, you, now);
  const left = clocks.left?.[you];
  // As long as no period is used up, the main time may still run.
  const inMain = left?.periods === clock.periods;
  return remaining(clocks, you, now, { periodMs: clock.period_ms, inMain });
}

/** The games that wait for the player, the one with the least time first. */
export function waiting(games: OwnGames, now: number): OwnGame[] {
  const urgency = (game: OwnGame) => ownTime(game, now)?.ms ?? Infinity;
  return [...games.values()]
    .filter((game) => game.status === 'playing' && game.your_turn)
    .sort((a, b) => Math.sign(urgency(a) - urgency(b)) || (a.game < b.game ? -1 : 1));
}

/** Whether a game has come to wait for the player by this description. */
export function beginsToWait(before: OwnGame | undefined, after: OwnGame): boolean {
  const waits = (game: OwnGame) => game.status === 'playing' && game.your_turn;
  return waits(after) && !(before && waits(before));
}
