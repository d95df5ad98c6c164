import { describe, expect, it } from 'vitest';
import type { HistoryPoint } from '$lib/protocol/protocol';
import { graph, nearest, roundNumbers } from './graph';

const paper = { width: 640, height: 220, left: 40, right: 10, top: 10, bottom: 20 };

function change(number: number, after: number, deviation = 100): HistoryPoint {
  return { number, at: number * 1000, kind: 'played', game: null, before: after, after, deviation };
}

describe('a curve', () => {
  it('has a dot for each change, inside of the paper, the higher the better', () => {
    const { dots, levels } = graph([change(1, 1500, 350), change(2, 1620, 200), change(3, 1580, 150)], paper);
    expect(dots.map((dot) => dot.x)).toEqual([40, 335, 630]);
    const [first, second, third] = dots.map((dot) => dot.y) as [number, number, number];
    expect(second).toBeLessThan(third);
    expect(third).toBeLessThan(first);
    for (const { y } of [...dots, ...levels]) {
      expect(y).toBeGreaterThanOrEqual(paper.top);
      expect(y).toBeLessThanOrEqual(paper.height - paper.bottom);
    }
  });

  it('stands in the middle if there is one change, and is nothing without any', () => {
    expect(graph([change(1, 1500, 0)], paper).dots).toMatchObject([{ x: 335, y: 105 }]);
    expect(graph([], paper)).toEqual({ dots: [], line: '', band: '', levels: [] });
  });

  it('is made of numbers alone, so that it is a path', () => {
    const { line, band } = graph([change(1, 100), change(2, 4000)], paper);
    expect(line).toMatch(/^M[\d. L]+$/);
    expect(band).toMatch(/^M[\d. L]+Z$/);
  });
});

it('puts lines at round numbers, and not too many of them', () => {
  expect(roundNumbers(1483, 1561)).toEqual([1500, 1520, 1540, 1560]);
  expect(roundNumbers(1150, 1850)).toEqual([1200, 1400, 1600, 1800]);
  expect(roundNumbers(100, 4000).length).toBeLessThanOrEqual(6);
});

it('finds the change below the pointer', () => {
  const { dots } = graph([change(1, 1500), change(2, 1510), change(3, 1520)], paper);
  expect(nearest(dots, 300)?.change.number).toBe(2);
  expect(nearest([], 300)).toBeNull();
});
