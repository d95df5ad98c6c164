/** Choosing a move on a board, by whatever hand: which clicks and drops mean what. Values and functions alone. */
import type { BannedMove, BanReason, Seat } from '$lib/protocol/protocol';
import type { BoardMode } from './config';
import { ownerOf, type Pieces } from './fen';

/** What is chosen so far. */
export interface Pick {
  /** The square of the piece that is picked up. */
  selected: string | null;
  /** A whole move that waits to be confirmed. */
  asking: string | null;
}

/** What can be chosen from. */
export interface Choices {
  mode: BoardMode;
  pieces: Pieces;
  movable: Seat | null;
  legal: readonly string[];
  banned: readonly BannedMove[];
  premoves: boolean;
  premove: string | null;
  /** Whether a move has to be confirmed. */
  confirm: boolean;
}

/** What comes of a choice. */
export type Effect =
  | { kind: 'none' }
  | { kind: 'move'; move: string }
  | { kind: 'banned'; move: string; reason: BanReason }
  | { kind: 'premove'; move: string | null }
  | { kind: 'exchange'; from: string; to: string }
  /** The move is not possible; nothing happens, and the user may be notified. */
  | { kind: 'refused'; move: string };

/** Nothing is chosen. */
export const NOTHING: Pick = { selected: null, asking: null };

type Step = readonly [Pick, Effect];

const none: Effect = { kind: 'none' };

/** Whether the user may pick up what stands on a square. */
export function isOwn(choices: Choices, square: string): boolean {
  const letter = choices.pieces.get(square);
  return letter !== undefined && choices.movable !== null && ownerOf(letter) === choices.movable;
}

function onTheMove(choices: Choices): boolean {
  return choices.legal.length > 0 || choices.banned.length > 0;
}

/** The squares that a picked piece can go to, and those that a ban keeps it from. */
export function targets(choices: Choices, from: string | null): { open: Set<string>; banned: Map<string, BanReason> } {
  const open = new Set<string>();
  const banned = new Map<string, BanReason>();
  if (from === null) return { open, banned };
  const length = from.length;
  // `a1` begins `a10b10`, too: what follows the square has to be a square itself.
  const leaves = (move: string) => move.startsWith(from) && /^[a-i]/.test(move.slice(length));
  for (const move of choices.legal) if (leaves(move)) open.add(move.slice(length));
  for (const { move, reason } of choices.banned) if (leaves(move)) banned.set(move.slice(length), reason);
  return { open, banned };
}

/** A square was clicked, tapped, or chosen by a key. */
export function choose(pick: Pick, square: string, choices: Choices): Step {
  if (choices.movable === null) return [NOTHING, none];
  if (pick.asking !== null) {
    const { asking } = pick;
    if (asking.endsWith(square) && pick.selected !== null && asking === pick.selected + square) {
      return [NOTHING, { kind: 'move', move: asking }];
    }
    return choose(NOTHING, square, choices);
  }
  if (pick.selected === null) {
    if (isOwn(choices, square)) return [{ selected: square, asking: null }, none];
    return [NOTHING, choices.premove === null ? none : { kind: 'premove', move: null }];
  }
  if (pick.selected === square) return [NOTHING, none];
  return go(pick.selected, square, choices);
}

/** A piece was dragged from a square to another (null: off the board). */
export function drop(from: string, to: string | null, choices: Choices): Step {
  if (to === null || to === from || !isOwn(choices, from)) return [NOTHING, none];
  return go(from, to, choices);
}

/** The asked move is confirmed. */
export function confirm(pick: Pick): Step {
  return [NOTHING, pick.asking === null ? none : { kind: 'move', move: pick.asking }];
}

function go(from: string, to: string, choices: Choices): Step {
  const move = from + to;
  if (choices.mode === 'setup') {
    return isOwn(choices, to) ? [NOTHING, { kind: 'exchange', from, to }] : [NOTHING, none];
  }
  const { open, banned } = targets(choices, from);
  if (open.has(to)) {
    if (choices.confirm) return [{ selected: from, asking: move }, none];
    return [NOTHING, { kind: 'move', move }];
  }
  const reason = banned.get(to);
  if (reason)
    return [
      { selected: from, asking: null },
      { kind: 'banned', move, reason }
    ];
  if (isOwn(choices, to)) return [{ selected: to, asking: null }, none];
  if (!onTheMove(choices) && choices.premoves) return [NOTHING, { kind: 'premove', move }];
  return [NOTHING, onTheMove(choices) ? { kind: 'refused', move } : none];
}

/** What is still chosen when the position has changed. */
export function keep(pick: Pick, choices: Choices): Pick {
  if (pick.selected === null || !isOwn(choices, pick.selected)) return NOTHING;
  if (pick.asking !== null && !choices.legal.includes(pick.asking)) return { selected: pick.selected, asking: null };
  return pick;
}
