/**
 * A game move by move: what stood where after each ply, and what was lost by it. Made from the start and the list of moves
 * alone, so that looking back needs no request. It knows no rules: a move takes a piece from one square to another, and the
 * list says who is removed.
 */
import { ownerOf } from '$lib/board/fen';
import type { PlayedMove, PositionAtPly, Seat, SetupView } from '$lib/protocol/protocol';

/** What stands where: letters by square, upper case for the first seat. */
export type Placement = ReadonlyMap<string, string>;

/** A game after one of its moves; ply 0 is the start. */
export interface Ply {
  ply: number;
  /** The move that led here, null at the start. */
  move: string | null;
  /** The board as FEN, with the side to move. */
  fen: string;
  /** The letters of what this move has removed, in the case of their owners; `U` and `u` for what is not known. */
  lost: readonly string[];
}

const FILES = 'abcdefghij';

/** Luzhanqi's pieces of each seat when nothing is known of them, from the top of the board down. */
const HIDDEN: Readonly<Record<Seat, string>> = {
  first: 'UUUUU/U1U1U/UU1UU/U1U1U/UUUUU/UUUUU',
  second: 'uuuuu/uuuuu/u1u1u/uu1uu/u1u1u/uuuuu'
};

/** Six empty ranks of Luzhanqi. */
const EMPTY = '5/5/5/5/5/5';

/** The two squares of a move. */
export function ends(move: string): [from: string, to: string] {
  const cut = move.search(/\d[a-z]/) + 1;
  return [move.slice(0, cut), move.slice(cut)];
}

/** Reads the board part of a FEN. */
export function placement(fen: string): Map<string, string> {
  const read = new Map<string, string>();
  const ranks = (fen.split(' ')[0] ?? '').split('/');
  ranks.forEach((text, below) => {
    let file = 0;
    for (const sign of text) {
      if (sign >= '0' && sign <= '9') file += Number(sign);
      else read.set(`${FILES[file++] ?? '?'}${ranks.length - below}`, sign);
    }
  });
  return read;
}

/** Writes the board part of a FEN. */
export function boardText(stands: Placement, files: number, ranks: number): string {
  const lines: string[] = [];
  for (let rank = ranks; rank > 0; rank--) {
    let line = '';
    let gap = 0;
    for (let file = 0; file < files; file++) {
      const letter = stands.get(`${FILES[file] ?? '?'}${rank}`);
      if (letter === undefined) {
        gap++;
        continue;
      }
      line += gap ? `${gap}${letter}` : letter;
      gap = 0;
    }
    lines.push(gap ? `${line}${gap}` : line);
  }
  return lines.join('/');
}

/** Whose turn it is in a FEN. */
export function turnIn(fen: string): Seat {
  return fen.split(' ')[1] === 'b' ? 'second' : 'first';
}

/** How many files and ranks the board of a FEN has. */
export function sizeOf(fen: string): [files: number, ranks: number] {
  const ranks = (fen.split(' ')[0] ?? '').split('/');
  let files = 0;
  for (const sign of ranks[0] ?? '') files += sign >= '0' && sign <= '9' ? Number(sign) : 1;
  return [files, ranks.length];
}

/** The start of a game of Luzhanqi as far as a viewer knows the setups. */
export function luzhanqiStart(setup: SetupView | null | undefined, you: Seat | null): string {
  const half = (seat: Seat) => setup?.revealed?.[seat].setup ?? (seat === you ? setup?.yours : null) ?? HIDDEN[seat];
  return `${half('second')}/${half('first')} w - - 0 1`;
}

/** The board while both set up: one's own pieces, and the backs of a ready player's pieces. */
export function settingUp(setup: SetupView, you: Seat | null): string {
  const half = (seat: Seat) => (seat === you ? setup.yours : null) ?? (setup.ready[seat] ? HIDDEN[seat] : EMPTY);
  return `${half('second')}/${half('first')} w - - 0 1`;
}

/** The start of a game in which everybody sees everything, from what stands after its moves. */
export function startBefore(fen: string, moves: readonly PlayedMove[]): string {
  const [files, ranks] = sizeOf(fen);
  const stands = placement(fen);
  for (const played of moves.toReversed()) {
    const [from, to] = ends(played.move);
    const mover = stands.get(to);
    stands.delete(to);
    if (mover !== undefined) stands.set(from, mover);
    if (played.captured) stands.set(to, played.captured);
  }
  const turns = (turnIn(fen) === 'first') === (moves.length % 2 === 0);
  return `${boardText(stands, files, ranks)} ${turns ? 'w' : 'b'} - - 0 1`;
}

/** What a letter is known to be, in the letter case of the piece's owner. */
function known(stands: string, met: string | undefined): string {
  if (met === undefined || !/u/i.test(stands)) return stands;
  return ownerOf(stands) === 'first' ? met.toUpperCase() : met.toLowerCase();
}

/** Plays one move of the list on a board. Answers the letters of what is removed. */
function play(stands: Map<string, string>, played: PlayedMove): string[] {
  const [from, to] = ends(played.move);
  const mover = stands.get(from);
  const target = stands.get(to);
  const lost: string[] = [];
  stands.delete(from);
  if (mover === undefined) return lost;
  if (target !== undefined) {
    const removed = played.removed ?? 'defender';
    const attacker = known(mover, played.met?.attacker);
    const defender = known(target, played.met?.defender);
    if (removed !== 'attacker') lost.push(played.captured ?? defender);
    if (removed !== 'defender') lost.push(attacker);
    if (removed === 'attacker') return lost;
    if (removed === 'both') {
      stands.delete(to);
      return lost;
    }
  }
  stands.set(to, mover);
  return lost;
}

/** The game after each of its moves, the start first. What is `known` of the same game is not computed again. */
export function plies(start: string, moves: readonly PlayedMove[], known: readonly Ply[] = []): Ply[] {
  const [files, ranks] = sizeOf(start);
  const goesOn = known[0]?.fen === start && known.every(({ ply, move }) => ply === 0 || moves[ply - 1]?.move === move);
  const all: Ply[] = goesOn ? [...known] : [{ ply: 0, move: null, fen: start, lost: [] }];
  const stands = placement(all.at(-1)?.fen ?? start);
  const begun = turnIn(start) === 'first' ? 0 : 1;
  for (const [index, played] of moves.entries()) {
    if (index < all.length - 1) continue;
    const lost = play(stands, played);
    const turn = (index + begun) % 2 === 0 ? 'b' : 'w';
    const fen = `${boardText(stands, files, ranks)} ${turn}`;
    all.push({ ply: index + 1, move: played.move, fen, lost });
  }
  return all;
}

/** The game as somebody saw it, ply by ply: what is lost has the letters by which it was known then. */
export function seenAs(positions: readonly PositionAtPly[], moves: readonly PlayedMove[]): Ply[] {
  return positions.map(({ ply, fen }, at) => {
    const played = moves[at - 1];
    const before = positions[at - 1];
    if (!played || !before) return { ply, move: null, fen, lost: [] };
    const seen = { ...played };
    delete seen.captured;
    return { ply, move: played.move, fen, lost: play(placement(before.fen), seen) };
  });
}

/** What a seat has lost up to a ply, in the order of `order`, what is not known last. */
export function lostBy(all: readonly Ply[], upTo: number, seat: Seat, order: string): string[] {
  const lost = all.slice(0, upTo + 1).flatMap((ply) => ply.lost.filter((letter) => ownerOf(letter) === seat));
  const place = (letter: string) => {
    const at = order.indexOf(letter.toUpperCase());
    return at < 0 ? order.length : at;
  };
  return lost.toSorted((one, other) => place(one) - place(other));
}
