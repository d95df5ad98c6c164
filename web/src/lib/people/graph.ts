/** The curve of a rating: points on paper from the changes that the server tells. */
import type { HistoryPoint } from '$lib/protocol/protocol';

/** The paper: its size, and what is left free at its edges for words. */
export interface Paper {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A change on paper. */
export interface Dot {
  x: number;
  y: number;
  change: HistoryPoint;
}

/** A line across the paper at a round number of points. */
export interface Level {
  y: number;
  value: number;
}

/** Everything that is drawn. */
export interface Graph {
  dots: Dot[];
  /** The way from dot to dot, as an SVG path. */
  line: string;
  /** Between the rating less and more its deviation: two of three times the true strength lies in it. */
  band: string;
  levels: Level[];
}

const STEPS = [10, 20, 50, 100, 200, 500, 1000];

/** The round numbers from `least` to `most`, at most six of them. */
export function roundNumbers(least: number, most: number): number[] {
  const step = STEPS.find((width) => (most - least) / width <= 5) ?? 2000;
  const numbers: number[] = [];
  for (let value = Math.ceil(least / step) * step; value <= most; value += step) numbers.push(value);
  return numbers;
}

const at = (x: number, y: number): string => `${round(x)} ${round(y)}`;
const round = (value: number): number => Math.round(value * 10) / 10;

/** Draws changes, the oldest first. Without any there is nothing to draw. */
export function graph(changes: readonly HistoryPoint[], paper: Paper): Graph {
  if (changes.length === 0) return { dots: [], line: '', band: '', levels: [] };
  const lows = changes.map((change) => change.after - change.deviation);
  const highs = changes.map((change) => change.after + change.deviation);
  let least = Math.min(...lows);
  let most = Math.max(...highs);
  if (most - least < 60) [least, most] = [least - 30, most + 30];
  const width = paper.width - paper.left - paper.right;
  const height = paper.height - paper.top - paper.bottom;
  const x = (index: number): number =>
    paper.left + (changes.length === 1 ? width / 2 : (width * index) / (changes.length - 1));
  const y = (value: number): number => paper.top + (height * (most - value)) / (most - least);
  const dots = changes.map((change, index) => ({ x: round(x(index)), y: round(y(change.after)), change }));
  const upper = highs.map((value, index) => at(x(index), y(value)));
  const lower = lows.map((value, index) => at(x(index), y(value))).reverse();
  return {
    dots,
    line: `M${dots.map((dot) => at(dot.x, dot.y)).join('L')}`,
    band: `M${[...upper, ...lower].join('L')}Z`,
    levels: roundNumbers(least, most).map((value) => ({ value, y: round(y(value)) }))
  };
}

/** The dot that is nearest to `x`; null without dots. */
export function nearest(dots: readonly Dot[], x: number): Dot | null {
  let best: Dot | null = null;
  for (const dot of dots) if (!best || Math.abs(dot.x - x) < Math.abs(best.x - x)) best = dot;
  return best;
}
