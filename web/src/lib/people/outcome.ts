/** A game in a list, from one player's side. */
import type { GameSummary, Seat } from '$lib/protocol/protocol';

/** How it went for somebody. */
export type Result = 'won' | 'drawn' | 'lost' | 'aborted' | 'running';

/** Where somebody sat; null for who did not play. */
export function seatOf(game: Pick<GameSummary, 'players'>, player: string): Seat | null {
  if (game.players.first?.id === player) return 'first';
  return game.players.second?.id === player ? 'second' : null;
}

/** How the game went for a seat. */
export function outcomeFor({ outcome }: Pick<GameSummary, 'outcome'>, seat: Seat | null): Result {
  if (!outcome) return 'running';
  if (outcome.reason === 'aborted') return 'aborted';
  if (!outcome.winner) return 'drawn';
  return outcome.winner === seat ? 'won' : 'lost';
}
