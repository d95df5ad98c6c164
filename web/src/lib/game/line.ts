/**
 * A line of moves that somebody follows through what was played: the address that it stands in, and what the server is asked about
 * its end. It knows no rules: which moves there are, the server has counted.
 */
import type { OpeningQuery, PlayedMove } from '$lib/protocol/protocol';
import { placement, plies, ends } from './plies';
import { gameOf } from './rulesets';

/** A rule set, and the moves from its start on; or a position that was come by in another way. */
export interface Line {
  ruleset: string;
  moves: readonly string[];
  /** Where the line begins; null for the rule set's own start. */
  from: string | null;
}

/** More plies than these are not counted, so that nobody needs to ask for them. */
const MOST = 30;
const MOVE = /^[a-j]\d{1,2}[a-j]\d{1,2}$/;
/** What the server reads as a position; the rest of its text counts for nothing. */
const POSITION = /^[A-Za-z0-9/]{5,120} [wb]/;

/** The text of a position without its counters; null for what can't be one. */
export function positionIn(text: string | null): string | null {
  const [board, side] = (text ?? '').trim().split(/\s+/);
  const position = `${board ?? ''} ${side ?? ''}`;
  return POSITION.test(position) && position.length < 130 ? position : null;
}

/** The line that an address asks for; `usual` is the rule set where it names none. */
export function readLine(query: URLSearchParams, usual: string): Line {
  const ruleset = query.get('ruleset');
  const moves = (query.get('moves') ?? '').split(',').filter((move) => MOVE.test(move));
  return {
    ruleset: ruleset !== null && /^[a-z0-9_]+\/[a-z0-9_]+$/.test(ruleset) ? ruleset : usual,
    moves: moves.slice(0, MOST),
    from: positionIn(query.get('fen'))
  };
}

/** The address of a line. */
export function lineAddress({ ruleset, moves, from }: Line): string {
  const query = new URLSearchParams({ ruleset });
  if (from !== null) query.set('fen', from);
  if (moves.length > 0) query.set('moves', moves.join(','));
  return `/openings?${query.toString().replaceAll('%2F', '/').replaceAll('%2C', ',')}`;
}

/** The moves of a line as if they had been played: what stands where a piece goes is taken. */
function played(moves: readonly string[]): PlayedMove[] {
  return moves.map((move, at) => ({ ply: at + 1, move, spent_ms: 0 }));
}

/** The board after the first so many moves of a line that begins with this position. */
export function boardAfter(start: string, moves: readonly string[], count: number): string {
  return plies(start, played(moves.slice(0, count))).at(-1)?.fen ?? start;
}

/**
 * What the server is asked about the end of a line, given the position that it begins with (null where that is not known yet): in
 * Luzhanqi moves do not tell a position.
 */
export function openingQuery(line: Line, start: string | null): OpeningQuery | null {
  const { ruleset, moves, from } = line;
  if (moves.length === 0) return from === null ? { ruleset } : { ruleset, fen: from };
  if (from === null && gameOf(ruleset) !== 'luzhanqi') return { ruleset, moves: moves.join(',') };
  return start === null ? null : { ruleset, fen: boardAfter(start, moves, moves.length) };
}

/** Whether what comes of a move can be known without its game: an attack in Luzhanqi ends in different ways. */
export function isPlain(ruleset: string, position: string, move: string): boolean {
  return gameOf(ruleset) !== 'luzhanqi' || !placement(position).has(ends(move)[1]);
}
