/** Small helpers to write SVG: numbers without needless digits, shapes that are alike on both sides, symbols, files. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import svgpath from 'svgpath';

/** A path with its mirror image on the other side of the middle. */
export const both = (d) => `${d} ${svgpath(d).scale(-1, 1).round(1).toString()}`;

/** A closed outline from its left half: cubic curves that lead from the top of the middle line down the right side to its bottom. */
export function closed(top, curves) {
  // `curves` are groups of [x1, y1, x2, y2, x, y].
  let forward = `M${top.join(' ')}`;
  const points = [top, ...curves.map((curve) => curve.slice(4))];
  for (const curve of curves) forward += `C${curve.join(' ')}`;
  for (let index = curves.length - 1; index >= 0; index -= 1) {
    const [x1, y1, x2, y2] = curves[index];
    const [x, y] = points[index];
    forward += `C${[-x2, y2, -x1, y1, -x, y].join(' ')}`;
  }
  return `${forward}Z`;
}

/** A path element. */
export const path = (d, attributes) => `<path d="${d}" ${attributes}/>`;

/** A radial gradient; `stops` are [offset, colour, opacity]. */
export const radial = (id, where, stops) => `<radialGradient id="${id}" ${where}>${stopsOf(stops)}</radialGradient>`;

/** A linear gradient from the top to the bottom. */
export const downwards = (id, stops) =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${stopsOf(stops)}</linearGradient>`;

const stopsOf = (stops) =>
  stops
    .map(([offset, colour, opacity]) =>
      opacity === undefined
        ? `<stop offset="${offset}" stop-color="${colour}"/>`
        : `<stop offset="${offset}" stop-color="${colour}" stop-opacity="${opacity}"/>`
    )
    .join('');

/** One piece. What reaches beyond the square of 100 units (a tile, a shadow) is drawn all the same. */
export const symbol = (id, content) =>
  `<symbol id="${id}" viewBox="-50 -50 100 100" overflow="visible">${content}</symbol>`;

/** Writes a set: a line for its gradients, and one for each symbol, so that a reader can take single ones. */
export function writeSet(file, definitions, symbols) {
  mkdirSync(dirname(file), { recursive: true });
  const lines = [
    '<svg xmlns="http://www.w3.org/2000/svg">',
    `<defs>${definitions.join('')}</defs>`,
    ...symbols,
    '</svg>'
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
}
