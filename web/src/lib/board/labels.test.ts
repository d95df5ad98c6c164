import { expect, it } from 'vitest';
import { labels, type Label } from './labels';

const row = (all: Label[], y: number) =>
  all
    .filter((label) => label.y === y)
    .toSorted((one, other) => one.x - other.x)
    .map(({ text }) => text)
    .join('');
const TOP = 18;
const BOTTOM = 1072 - 18;

it('stand at both ends of files and ranks where moves are written as squares', () => {
  const all = labels('xiangqi', 'squares', 'first');
  expect([row(all, TOP), row(all, BOTTOM)]).toEqual(['abcdefghi', 'abcdefghi']);
  expect(row(labels('xiangqi', 'squares', 'second'), BOTTOM)).toBe('ihgfedcba');
  expect(all.filter(({ x }) => x === TOP).map(({ text }) => text)).toEqual('1 2 3 4 5 6 7 8 9 10'.split(' '));
  expect(labels('doushouqi', 'chinese', 'first').some(({ text }) => text === 'a')).toBe(true);
});

it('count the files of each side from its right where the notation does', () => {
  const red = labels('xiangqi', 'chinese', 'first');
  expect([row(red, BOTTOM), row(red, TOP)]).toEqual(['九八七六五四三二一', '123456789']);
  const black = labels('xiangqi', 'chinese', 'second');
  expect([row(black, BOTTOM), row(black, TOP)]).toEqual(['987654321', '一二三四五六七八九']);
  const wxf = labels('xiangqi', 'wxf', 'first');
  expect([row(wxf, BOTTOM), row(wxf, TOP)]).toEqual(['987654321', '123456789']);
  expect(wxf).toHaveLength(18);
});
