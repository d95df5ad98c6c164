/** The special places of each board. A test compares them with the server's catalog. */
import type { GameKind } from './config';

/** What a place can be. */
export type Mark = 'den' | 'trap' | 'river' | 'camp' | 'headquarters' | 'palace';

function all(marks: Readonly<Partial<Record<Mark, string>>>): ReadonlyMap<string, Mark> {
  const places = new Map<string, Mark>();
  for (const [mark, squares] of Object.entries(marks)) {
    for (const square of squares.split(' ')) places.set(square, mark as Mark);
  }
  return places;
}

/** The special places by square. Xiangqi's river is the band between two ranks, no place of its own. */
export const MARKS: Readonly<Record<GameKind, ReadonlyMap<string, Mark>>> = {
  doushouqi: all({
    den: 'd1 d9',
    trap: 'c1 e1 d2 c9 e9 d8',
    river: 'b4 c4 b5 c5 b6 c6 e4 f4 e5 f5 e6 f6'
  }),
  luzhanqi: all({
    camp: 'b3 d3 c4 b5 d5 b8 d8 c9 b10 d10',
    headquarters: 'b1 d1 b12 d12'
  }),
  xiangqi: all({ palace: 'd1 e1 f1 d2 e2 f2 d3 e3 f3 d8 e8 f8 d9 e9 f9 d10 e10 f10' })
};

/** Luzhanqi's railways, as lines from station to station. */
export const RAILWAYS: readonly (readonly [string, string])[] = [
  ['a2', 'e2'],
  ['a6', 'e6'],
  ['a7', 'e7'],
  ['a11', 'e11'],
  ['a2', 'a11'],
  ['e2', 'e11'],
  ['c6', 'c7']
];

/** Luzhanqi's roads that are no railways, as lines. */
export const ROADS: readonly (readonly [string, string])[] = [
  ['a1', 'e1'],
  ['a3', 'e3'],
  ['a4', 'e4'],
  ['a5', 'e5'],
  ['a8', 'e8'],
  ['a9', 'e9'],
  ['a10', 'e10'],
  ['a12', 'e12'],
  ['a1', 'a2'],
  ['e1', 'e2'],
  ['a11', 'a12'],
  ['e11', 'e12'],
  ['b1', 'b6'],
  ['c1', 'c6'],
  ['d1', 'd6'],
  ['b7', 'b12'],
  ['c7', 'c12'],
  ['d7', 'd12'],
  ...['b3', 'd3', 'c4', 'b5', 'd5', 'b8', 'd8', 'c9', 'b10', 'd10'].flatMap((camp) =>
    [
      [-1, -1],
      [-1, 1],
      [1, -1],
      [1, 1]
    ].map(([across, up]) => {
      const file = String.fromCharCode(camp.charCodeAt(0) + (across ?? 0));
      return [camp, `${file}${Number(camp.slice(1)) + (up ?? 0)}`] as const;
    })
  )
];
