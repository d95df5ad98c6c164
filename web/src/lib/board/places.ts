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
