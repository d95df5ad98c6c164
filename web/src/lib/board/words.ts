/** Boards, pieces and moves in words, for screen readers and announcements. Their texts are in the space `board`. */
import { has, t } from '$lib/i18n/index.svelte';
import type { BanReason, Seat } from '$lib/protocol/protocol';
import type { Choices, Pick } from './pick';
import { isOwn, targets } from './pick';
import { COLOURS, type Colour, type GameKind } from './config';
import { ownerOf, parse, type Pieces } from './fen';
import { MARKS } from './places';
import { parts } from './geometry';

/** The name of a piece, such as "elephant". */
export function pieceName(game: GameKind, letter: string): string {
  const key = `board.${game}_${letter.toLowerCase()}`;
  return has(key) ? t(key) : letter;
}

/** A piece with its side, such as "red chariot". */
export function sidedPiece(game: GameKind, letter: string, colours = COLOURS[game]): string {
  return t('board.sided', { side: colourName(colours[ownerOf(letter)]), piece: pieceName(game, letter) });
}

/** The name of a side's colour. */
export function colourName(colour: Colour): string {
  return t(`board.colour_${colour}`);
}

/** Why a move is banned, in one sentence. */
export function banText(reason: BanReason): string {
  return t(`board.ban_${reason}`);
}

/** A move in words, such as "chariot a1 takes horse a8"; before it stood `fen`. */
export function describeMove(
  game: GameKind,
  fen: string,
  move: string,
  outcome: { captured?: string | undefined; removed?: 'attacker' | 'defender' | 'both' | undefined } = {}
): string {
  const found = parts(move);
  if (!found) return move;
  const pieces = parse(game, fen);
  const letter = pieces.get(found.from);
  const piece = letter === undefined ? t('board.piece') : pieceName(game, letter);
  const values = { piece, from: found.from, to: found.to };
  if (outcome.removed) return t(`board.attack_${outcome.removed}`, values);
  const captured = outcome.captured ?? pieces.get(found.to);
  if (captured) return t('board.takes', { ...values, captured: pieceName(game, captured) });
  return t('board.moves', values);
}

/** What a screen reader says of a square. It begins with the name of the square. */
export function describeSquare(
  game: GameKind,
  square: string,
  now: {
    pieces: Pieces;
    pick: Pick;
    choices: Choices;
    lastMove: string | null;
    premove: string | null;
    check: Seat | null;
    note: string | undefined;
    colours?: Readonly<Record<Seat, Colour>>;
  }
): string {
  const letter = now.pieces.get(square);
  const said: string[] = [square];
  said.push(letter === undefined ? t('board.empty') : sidedPiece(game, letter, now.colours));
  const mark = MARKS[game].get(square);
  if (mark) said.push(t(`board.mark_${mark}`));
  if (now.note) said.push(t('board.noted', { piece: pieceName(game, now.note) }));
  if (now.check && letter && letter.toLowerCase() === 'k' && game === 'xiangqi' && ownerOf(letter) === now.check) {
    said.push(t('board.in_check'));
  }
  if (now.lastMove?.endsWith(square) && parts(now.lastMove)?.to === square) said.push(t('board.last_move'));
  if (now.pick.selected === square) said.push(t('board.picked'));
  const { open, banned } = targets(now.choices, now.pick.selected);
  if (open.has(square)) said.push(letter === undefined ? t('board.target') : t('board.target_capture'));
  const reason = banned.get(square);
  if (reason) said.push(t('board.target_banned', { reason: banText(reason) }));
  if (now.pick.selected === null && isOwn(now.choices, square)) {
    const own = targets(now.choices, square);
    if (own.open.size > 0) said.push(t('board.can_move'));
  }
  if (now.premove && parts(now.premove)?.to === square) said.push(t('board.premoved'));
  return said.join(', ');
}
