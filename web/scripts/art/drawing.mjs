/**
 * What all boards are drawn with: noise, wood, frames, and words as outlines. What is drawn stands in attributes, since no page allows styles;
 * the one style of a board only says what small ones leave out.
 */
import { readFileSync } from 'node:fs';

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
const GLYPHS = read('glyphs.json');
export const LAYOUT = read('../../art/layout.json');

/** Random numbers from 0 to 1 that come out the same each time. */
export function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A number with at most one digit behind the point. */
export const n = (value) => String(Math.round(value * 10) / 10);

const round = (value) => String(Math.round(value * 100) / 100);

/** The size of a game's drawing. */
export function size(game) {
  const { files, ranks, step, margin, gap } = LAYOUT[game];
  return { width: (files - 1) * step[0] + 2 * margin[0], height: (ranks - 1) * step[1] + gap + 2 * margin[1] };
}

/** The middle of a square, seen by the first seat. */
export function at(game, square) {
  const { ranks, step, margin, gap } = LAYOUT[game];
  const row = ranks - Number(square.slice(1));
  const x = margin[0] + (square.charCodeAt(0) - 97) * step[0];
  return { x, y: margin[1] + row * step[1] + (row >= ranks / 2 ? gap : 0) };
}

/**
 * What a board leaves out where it is small, by the width of its picture in pixels: on a phone names on the ground would be specks, and in
 * a list of miniatures nobody sees the grain, which costs most of the time of drawing. Programs that know no media queries draw all of it.
 */
const SMALL =
  '<style>@media (max-width:460px){.name{display:none}}' +
  '@media (max-width:180px){[filter]{display:none}[filter$="-worn)"]{display:inline;filter:none}}</style>';

/** A whole board. */
export function picture(game, parts) {
  const { width, height } = size(game);
  const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`;
  return `${[open, SMALL, ...parts.flat(9).filter(Boolean), '</svg>'].join('\n')}\n`;
}

export const rect = (x, y, width, height, more) =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" ${more}/>`;
export const path = (d, more) => `<path d="${d}" ${more}/>`;
export const circle = (x, y, r, more) => `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" ${more}/>`;
export const group = (more, ...inner) => [`<g ${more}>`, ...inner, '</g>'];

/** A gradient from the top left to the bottom right, or down. */
export function gradient(id, stops, down = false) {
  const end = down ? 'x2="0" y2="1"' : 'x2="1" y2="1"';
  const each = stops.map((colour, index) => `<stop offset="${n(index / (stops.length - 1))}" stop-color="${colour}"/>`);
  return `<linearGradient id="${id}" x1="0" y1="0" ${end}>${each.join('')}</linearGradient>`;
}

/** Blurs what it is given to. */
export const blur = (id, by) =>
  `<filter id="${id}" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="${by}"/></filter>`;

/**
 * A filter that fills its shape with spots or streaks of one colour: `across` and `down` say how often they change, `strength` how much they
 * differ, `base` how much of the colour lies everywhere.
 */
export function noise(id, { colour, across, down, octaves = 3, seed = 1, strength = 2, base = -1 }) {
  const [red, green, blue] = [1, 3, 5].map((start) => n(parseInt(colour.slice(start, start + 2), 16) / 25.5) / 10);
  const values = `0 0 0 0 ${red} 0 0 0 0 ${green} 0 0 0 0 ${blue} ${strength} 0 0 0 ${base}`;
  return (
    `<filter id="${id}" x="0" y="0" width="1" height="1" color-interpolation-filters="sRGB">` +
    `<feTurbulence type="fractalNoise" baseFrequency="${across} ${down}" numOctaves="${octaves}" seed="${seed}"/>` +
    `<feColorMatrix values="${values}"/><feComposite in2="SourceGraphic" operator="in"/></filter>`
  );
}

/** Wood: the filters of its grain, dark and light, along the files. */
export const wood = (id, dark, light, seed) => [
  noise(`${id}-grain`, { colour: dark, across: 0.16, down: 0.005, seed, strength: 2.6, base: -1.15 }),
  noise(`${id}-growth`, {
    colour: dark,
    across: 0.022,
    down: 0.0012,
    octaves: 2,
    seed: seed + 3,
    strength: 3,
    base: -1.3
  }),
  noise(`${id}-shine`, { colour: light, across: 0.3, down: 0.004, octaves: 1, seed: seed + 7, strength: 2, base: -1 })
];

/** A shape of wood: the same shape for each layer. */
export const wooden = (id, shape, depth = 1) => [
  shape(`filter="url(#${id}-growth)" opacity="${round(0.4 * depth)}"`),
  shape(`filter="url(#${id}-grain)" opacity="${round(0.5 * depth)}"`),
  shape(`filter="url(#${id}-shine)" opacity="${round(0.4 * depth)}"`)
];

/** The frame around a board, lit from the top left, with the ground sunk into it. */
export function frame(game, id, { outer, ground, texture = () => [], light = 0.35, dark = 0.5 }) {
  const { width, height } = size(game);
  const inset = LAYOUT[game].frame;
  const [right, bottom] = [width - inset, height - inset];
  // Four bars, since a filter costs as much as the box around its shape.
  const bars = (more) => [
    rect(0, 0, width, inset, more),
    rect(0, bottom, width, inset, more),
    rect(0, inset, inset, bottom - inset, more),
    rect(right, inset, inset, bottom - inset, more)
  ];
  return [
    '<defs>',
    gradient(`${id}-frame`, outer),
    gradient(`${id}-ground`, ground),
    blur(`${id}-soft`, 4),
    `<clipPath id="${id}-inside">${rect(inset, inset, right - inset, bottom - inset, 'rx="4"')}</clipPath>`,
    `<clipPath id="${id}-outside">${rect(0, 0, width, height, 'rx="14"')}</clipPath>`,
    '</defs>',
    rect(0, 0, width, height, `rx="14" fill="url(#${id}-frame)"`),
    group(`clip-path="url(#${id}-outside)"`, texture(bars, 'frame')),
    path(
      `M7 ${height - 16}V16Q7 7 16 7H${width - 16}`,
      `fill="none" stroke="#fff" stroke-width="3" stroke-opacity="${light}"`
    ),
    path(
      `M${width - 5} 16V${height - 16}Q${width - 5} ${height - 5} ${width - 16} ${height - 5}H16`,
      `fill="none" stroke="#000" stroke-width="4" stroke-opacity="${light}"`
    ),
    group(
      `clip-path="url(#${id}-inside)"`,
      rect(inset, inset, right - inset, bottom - inset, `fill="url(#${id}-ground)"`),
      texture((more) => rect(inset, inset, right - inset, bottom - inset, more), 'ground')
    )
  ].concat(edge(game, id, light, dark));
}

/** The edge between frame and ground: a shadow on the one side, light on the other. */
function edge(game, id, light, dark) {
  const { width, height } = size(game);
  const inset = LAYOUT[game].frame;
  const [right, bottom] = [width - inset, height - inset];
  return group(
    `clip-path="url(#${id}-inside)" fill="none"`,
    path(
      `M${inset - 3} ${bottom + 9}V${inset - 3}H${right + 9}`,
      `stroke="#000" stroke-width="16" stroke-opacity="${dark}" filter="url(#${id}-soft)"`
    ),
    path(`M${right - 1} ${inset}V${bottom - 1}H${inset}`, `stroke="#fff" stroke-width="2" stroke-opacity="${light}"`)
  );
}

/** Words as outlines around a point, each character `large`. */
export function words(text, x, y, large, more, spacing = 0) {
  const advances = [...text].map((character) => (GLYPHS[character][0] * large) / 100 + spacing);
  let left = x - (advances.reduce((sum, one) => sum + one, 0) - spacing) / 2;
  const paths = [...text].map((character, index) => {
    const middle = left + (advances[index] - spacing) / 2;
    left += advances[index];
    const outline = GLYPHS[character][1];
    return outline ? path(outline, `transform="translate(${n(middle)} ${n(y)}) scale(${large / 100})"`) : '';
  });
  return group(more, paths.filter(Boolean));
}
