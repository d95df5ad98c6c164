/** A game of two who share a device, as this browser keeps it: everything else follows from the rules. */
import type { Removed } from '$lib/board/config';
import { placement, ends, type Ply } from '$lib/game/plies';
import { knownGame } from '$lib/game/rulesets';
import { ownerOf } from '$lib/board/fen';
import type { BySeat, Outcome, Seat } from '$lib/protocol/protocol';
import type { HotSeatTime } from './clock';

/** A move that was made. */
export interface Made {
  move: string;
  /** Who was removed, if it was an attack (Luzhanqi). */
  removed?: Removed;
}

/** See the top of the file. */
export interface HotSeatRecord {
  ruleset: string;
  /** Both setups, in Luzhanqi alone. */
  setups: BySeat<string> | null;
  moves: readonly Made[];
  time: HotSeatTime | null;
  /** What each had left after the last move, in milliseconds; null without clocks. */
  left: BySeat<number> | null;
  /** Whether the board turns to the player who is to move. */
  turning: boolean;
  /** An end that the players have brought about, and not the rules. */
  ended: Outcome | null;
}

/** As many moves as the server judges. */
const MOST_MOVES = 2_000;
const KEY = 'qiguan.hotseat';

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSpan(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function both<T>(value: unknown, is: (one: unknown) => one is T): BySeat<T> | null {
  if (!isObject(value)) return null;
  const { first, second } = value;
  return is(first) && is(second) ? { first, second } : null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function readMove(value: unknown): Made | null {
  if (!isObject(value) || typeof value['move'] !== 'string') return null;
  const { move, removed } = value;
  const known = (['attacker', 'defender', 'both'] as const).find((one) => one === removed);
  if (removed !== undefined && known === undefined) return null;
  return known === undefined ? { move } : { move, removed: known };
}

function readEnd(value: unknown): Outcome | null {
  if (!isObject(value)) return null;
  const reason = (['resignation', 'agreement', 'timeout'] as const).find((one) => one === value['reason']);
  const winner = (['first', 'second'] as const).find((one) => one === value['winner']) ?? null;
  return reason === undefined ? null : { winner, reason };
}

/** A game from what was kept; null if that is not a game. */
export function readRecord(text: string | null): HotSeatRecord | null {
  let kept: unknown;
  try {
    kept = JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
  if (!isObject(kept) || typeof kept['ruleset'] !== 'string' || !Array.isArray(kept['moves'])) return null;
  const game = knownGame(kept['ruleset']);
  const moves = kept['moves'].slice(0, MOST_MOVES).map(readMove);
  const setups = both(kept['setups'], isText);
  if (game === null || (game === 'luzhanqi') !== (setups !== null)) return null;
  const time = isObject(kept['time']) ? kept['time'] : {};
  const { initial, increment } = time;
  const left = both(kept['left'], isSpan);
  const clocked = isSpan(initial) && isSpan(increment) && left !== null;
  return {
    ruleset: kept['ruleset'],
    setups,
    moves: moves.filter((move) => move !== null),
    time: clocked ? { initial, increment } : null,
    left: clocked ? left : null,
    turning: kept['turning'] === true,
    ended: readEnd(kept['ended'])
  };
}

/** The game that this browser has kept. */
export function recall(): HotSeatRecord | null {
  try {
    return readRecord(localStorage.getItem(KEY));
  } catch {
    // A browser that forbids storage: the game lasts as long as the page.
    return null;
  }
}

/** Has this browser keep a game, or (null) none. */
export function keep(record: HotSeatRecord | null): void {
  try {
    if (record === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(record));
  } catch {
    // See `recall`.
  }
}

/** Who was removed by a move, from the positions before and after it, in which everything is known; null if it was no attack. */
export function removedBy(before: string, after: string, move: string): Removed | null {
  const [, to] = ends(move);
  const [was, is] = [placement(before).get(to), placement(after).get(to)];
  if (was === undefined) return null;
  if (is === undefined) return 'both';
  return ownerOf(is) === ownerOf(was) ? 'attacker' : 'defender';
}

/** A letter as a seat knows it while the game runs: the opponent's pieces are only backs, and for nobody's eyes all are. */
function known(letter: string, eyes: Seat | null): string {
  const owner = ownerOf(letter);
  if (owner === eyes) return letter;
  return owner === 'first' ? 'U' : 'u';
}

/** A ply as a seat knows it; without one, as both may. */
export function seenBy(ply: Ply, eyes: Seat | null): Ply {
  const [board = '', turn = 'w'] = ply.fen.split(' ');
  const fen = `${board.replace(/[a-z]/gi, (letter) => known(letter, eyes))} ${turn}`;
  return { ...ply, fen, lost: ply.lost.map((letter) => known(letter, eyes)) };
}
