/** What the client draws by itself is what the server says there is. */
import { layout, squares } from '../../src/lib/board/geometry';
import numbers from '../../art/layout.json' with { type: 'json' };
import { MARKS } from '../../src/lib/board/places';
import { expect, test } from '../harness/story';

interface Listed {
  id: 'doushouqi' | 'luzhanqi' | 'xiangqi';
  board: {
    files: number;
    ranks: number;
    marks: { square: string; kind: string }[];
    ways?: { from: string; to: string; railway: boolean }[];
  };
}

/** The steps from station to station along lines. */
function steps(lines: readonly (readonly [string, string])[]): string[] {
  const all: string[] = [];
  for (const [from, to] of lines) {
    let [file, rank] = [from.charCodeAt(0), Number(from.slice(1))];
    const across = Math.sign(to.charCodeAt(0) - file);
    const up = Math.sign(Number(to.slice(1)) - rank);
    while (String.fromCharCode(file) + String(rank) !== to) {
      const here = String.fromCharCode(file) + String(rank);
      [file, rank] = [file + across, rank + up];
      all.push([here, String.fromCharCode(file) + String(rank)].sort().join());
    }
  }
  return [...new Set(all)].sort();
}

/** Luzhanqi's lines as its boards are drawn. */
const { railways, roads, camps } = numbers.luzhanqi;
const RAILWAYS = railways.map((line) => ends(line));
const ROADS = [
  ...roads.map((line) => ends(line)),
  ...camps.flatMap((camp) => {
    const [file, rank] = [camp.charCodeAt(0), Number(camp.slice(1))];
    return [-1, 1].flatMap((across) =>
      [-1, 1].map((up) => [camp, `${String.fromCharCode(file + across)}${rank + up}`] as const)
    );
  })
];

function ends(line: string): readonly [string, string] {
  const [from = '', to = ''] = line.split('-');
  return [from, to];
}

test('boards have the squares, places and ways of the catalog', async ({ arrive }) => {
  const visitor = await arrive('anna');
  const { games } = (await (await visitor.asks('GET', '/api/catalog')).json()) as { games: Listed[] };
  expect(games).toHaveLength(3);
  for (const { id, board } of games) {
    expect([layout(id).files, layout(id).ranks], id).toEqual([board.files, board.ranks]);
    expect(squares(id), id).toHaveLength(board.files * board.ranks);
    // Xiangqi's river is drawn as the band that it is.
    const marks = board.marks.filter(({ kind }) => id !== 'xiangqi' || kind !== 'river');
    expect([...MARKS[id]].sort(), id).toEqual(marks.map(({ square, kind }) => [square, kind]).sort());
    const ways = board.ways ?? [];
    if (id !== 'luzhanqi') continue;
    const named = (railway: boolean) =>
      ways.filter((way) => way.railway === railway).map(({ from, to }) => [from, to].sort().join());
    expect(steps(RAILWAYS)).toEqual(named(true).sort());
    expect(steps(ROADS)).toEqual(named(false).sort());
  }
});
