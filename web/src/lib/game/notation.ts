/**
 * Moves as they are written. Squares do for every game; Xiangqi's are also written by files, as the World Xiangqi Federation
 * does (`C2=5`) and as Chinese books do (炮二平五), with the characters of the chosen pieces. See docs/notation.md.
 */
import type { Seat } from '$lib/protocol/protocol';
import { settings, type Settings } from '$lib/settings.svelte';
import { ownerOf } from '$lib/board/fen';
import { ends, placement, type Placement } from './plies';

/** A way to write a move. */
export type Notation = Settings['notation'];

/** A man of the mover, as files tell it. */
interface Man {
  square: string;
  piece: string;
  /** From 1 at the mover's right. */
  file: number;
  /** How many of its kind stand before it on its file. */
  place: number;
  /** How many of its kind stand on its file, itself included. */
  tandem: number;
  /** Its place among all soldiers in tandem, from 1; files from right to left, on each from the front. */
  ordinal: number;
}

const RED = [...'一二三四五六七八九'];
const BLACK = [...'１２３４５６７８９'];

/** The characters of a move: of the pieces the first seat's before the second's. */
interface Script {
  names: Readonly<Record<string, string>>;
  front: string;
  middle: string;
  rear: string;
  ways: Readonly<Record<Way, string>>;
}

type Way = '+' | '-' | '=';

const SIMPLIFIED: Script = {
  names: { K: '帅将', A: '仕士', B: '相象', N: '马马', R: '车车', C: '炮炮', P: '兵卒' },
  front: '前',
  middle: '中',
  rear: '后',
  ways: { '+': '进', '-': '退', '=': '平' }
};

const TRADITIONAL: Script = {
  names: { K: '帥將', A: '仕士', B: '相象', N: '馬馬', R: '車車', C: '炮砲', P: '兵卒' },
  front: '前',
  middle: '中',
  rear: '後',
  ways: { '+': '進', '-': '退', '=': '平' }
};

/** The characters that stand on the chosen pieces; of pictures and letters those of the language. */
function script(): Script {
  switch (settings.pieces.xiangqi) {
    case 'simplified':
      return SIMPLIFIED;
    case 'carved':
    case 'jade':
      return TRADITIONAL;
    case 'hybrid':
    case 'letters':
      return settings.locale === 'zh-Hans' ? SIMPLIFIED : TRADITIONAL;
  }
}

/** File and rank of a square from a seat's own side: files from 1 at its right, ranks from 1 nearest to it. */
function seenBy(seat: Seat, square: string): [file: number, rank: number] {
  const file = square.charCodeAt(0) - 96;
  const rank = Number(square.slice(1));
  return seat === 'first' ? [10 - file, rank] : [file, 11 - rank];
}

/** All men of a seat: files from right to left, on each from the front. */
function men(stands: Placement, seat: Seat): Man[] {
  const all = [...stands]
    .filter(([, letter]) => ownerOf(letter) === seat)
    .map(([square, letter]) => {
      const [file, rank] = seenBy(seat, square);
      return { square, piece: letter.toUpperCase(), file, rank };
    })
    .toSorted((one, other) => one.file - other.file || other.rank - one.rank);
  let ordinal = 0;
  return all.map((man, at) => {
    const same = all.filter((other) => other.piece === man.piece && other.file === man.file);
    const tandem = same.length;
    if (man.piece === 'P' && tandem > 1) ordinal++;
    const place = all.slice(0, at).filter((other) => same.includes(other)).length;
    return { square: man.square, piece: man.piece, file: man.file, place, tandem, ordinal };
  });
}

/** On how many files soldiers stand in tandem. */
function soldierTandems(all: readonly Man[]): number {
  return all.filter((man) => man.piece === 'P' && man.tandem > 1 && man.place === 0).length;
}

/** Whether a man is written without regard to others on its file. */
function isPlain(man: Man): boolean {
  return man.tandem === 1 || man.piece === 'A' || man.piece === 'B';
}

/** Which way a move goes and how far, as both notations have it: the file that it goes to, or the points along its own. */
function way(seat: Seat, from: string, to: string): [way: Way, number: number] {
  const [file, rank] = seenBy(seat, from);
  const [toFile, toRank] = seenBy(seat, to);
  const number = file === toFile ? Math.abs(toRank - rank) : toFile;
  if (toRank === rank) return ['=', toFile];
  return [toRank > rank ? '+' : '-', number];
}

function wxfName(man: Man, tandems: number): string {
  const letter = { N: 'H', B: 'E' }[man.piece] ?? man.piece;
  if (isPlain(man)) return `${letter}${man.file}`;
  const last = man.place + 1 === man.tandem;
  if (man.piece === 'P' && tandems > 1) {
    if (man.place === 0) return `${man.file}+`;
    return last ? `${man.file}-` : `${man.file}${man.file}`;
  }
  if (man.tandem > 3 && man.place === 0) return '++';
  if (man.tandem > 3 && last) return '--';
  if ((man.tandem === 3 && man.place === 1) || (man.tandem === 5 && man.place === 2)) return `${letter}${man.file}`;
  return man.place === 0 || (man.tandem > 3 && man.place === 1) ? `${letter}+` : `${letter}-`;
}

function chineseName({ names, front, middle, rear }: Script, man: Man, tandems: number, seat: Seat): string {
  const name = names[man.piece]?.[seat === 'first' ? 0 : 1] ?? man.piece;
  const digits = seat === 'first' ? RED : BLACK;
  const file = digits[man.file - 1] ?? '?';
  if (isPlain(man)) return `${name}${file}`;
  const behind = man.place + 1 === man.tandem ? rear : middle;
  const place = man.place === 0 ? front : behind;
  if (man.piece === 'P' && tandems > 1) return `${place}${file}`;
  if (man.piece === 'P' && man.tandem > 3) return `${RED[man.ordinal - 1] ?? '?'}${name}`;
  return `${place}${name}`;
}

/** A move of Xiangqi in this notation, from the position before it. What is no move of anybody stays squares. */
export function written(notation: Notation, fenBefore: string, move: string): string {
  if (notation === 'squares') return move;
  const stands = placement(fenBefore);
  const [from, to] = ends(move);
  const letter = stands.get(from);
  if (letter === undefined) return move;
  const seat = ownerOf(letter);
  const all = men(stands, seat);
  const man = all.find((one) => one.square === from);
  if (!man) return move;
  const [sign, number] = way(seat, from, to);
  const tandems = soldierTandems(all);
  if (notation === 'wxf') return `${wxfName(man, tandems)}${sign}${number}`;
  const characters = script();
  const digits = seat === 'first' ? RED : BLACK;
  return `${chineseName(characters, man, tandems, seat)}${characters.ways[sign]}${digits[number - 1] ?? '?'}`;
}
