import { expect, it } from 'vitest';
import { ownerOf, parse } from './fen';

it('reads the first position of Dou Shou Qi', () => {
  const pieces = parse('doushouqi', 'l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w - - 0 1');
  expect(pieces.size).toBe(16);
  expect([pieces.get('a9'), pieces.get('g9'), pieces.get('a1'), pieces.get('g3')]).toEqual(['l', 't', 'T', 'R']);
});

it('reads ranks of two digits from the top', () => {
  const pieces = parse('xiangqi', 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1');
  expect([pieces.get('e10'), pieces.get('e1'), pieces.get('h8')]).toEqual(['k', 'K', 'c']);
  expect(pieces.size).toBe(32);
});

it('reads hidden pieces, and whose they are', () => {
  const pieces = parse('luzhanqi', 'uuuuu/5/5/5/5/5/5/5/5/5/5/UUUUF b');
  expect([pieces.get('a12'), pieces.get('a1'), pieces.get('e1')]).toEqual(['u', 'U', 'F']);
  expect([ownerOf('u'), ownerOf('U')]).toEqual(['second', 'first']);
});

it.each(['', 'rubbish', '////////////////////////', '9999/xx<script>', '12345678901234567890'])(
  'leaves out what is no board: %s',
  (text) => {
    for (const square of parse('xiangqi', text).keys()) expect(square).toMatch(/^[a-i](10|[1-9])$/);
  }
);
