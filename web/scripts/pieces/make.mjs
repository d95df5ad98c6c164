/**
 * Writes the outlines of the pieces: `npm ci && npm run make` in this folder. What it writes is committed, so that building the client
 * needs none of these packages.
 *
 * Characters come from LXGW WenKai (OFL), in the style of a brush that pieces are carved in; animals and the things that stand
 * for Xiangqi's men from Fluent Emoji (MIT).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openFamily, outline } from './outlines.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, '../../src/lib/board/pieces');
/** A character fits a square of so many units. */
const GRID = 200;

const fonts = [openFamily('lxgw-wenkai-tc', 700)];
const emoji = JSON.parse(
  readFileSync(join(here, 'node_modules/@iconify-json/fluent-emoji-flat/icons.json'), 'utf8')
).icons;

/** The characters of each file, in either script. */
const SETS = {
  'doushouqi-traditional': '象獅虎豹狼狗貓鼠獸穴12345678',
  'doushouqi-simplified': '象狮虎豹狼狗猫鼠兽穴12345678',
  'xiangqi-traditional': '帥仕相俥傌炮兵將士象車馬砲卒楚河漢界',
  'xiangqi-simplified': '帅仕相车马炮兵将士象卒楚河汉界',
  'luzhanqi-traditional': '司令軍長師旅團營連排工兵地雷炸彈旗山界123456789',
  'luzhanqi-simplified': '司令军长师旅团营连排工兵地雷炸弹旗山界123456789'
};

const head = (what, from) =>
  `/** ${what}. Written by scripts/pieces; the licence is in LICENCES.md beside this file. */\nexport const ${from}: Readonly<Record<string, string>> = `;

for (const [name, characters] of Object.entries(SETS)) {
  const paths = Object.fromEntries([...characters].map((one) => [one, outline(fonts, one, GRID)]));
  const text = head('Outlines of characters, on a square of 200 units around the origin', 'outlines');
  writeFileSync(join(out, `${name}.ts`), `${text}${JSON.stringify(paths, null, 2)};\n`);
}

/** One picture as a list of filled paths: the few shapes that these icons use become paths. */
function picture(name) {
  const body = emoji[name].body;
  const paths = [];
  for (const [, tag, attributes] of body.matchAll(
    /<(path|circle|ellipse|rect|g|mask|defs|linearGradient)\b([^>]*)>/g
  )) {
    if (tag === 'g') continue;
    if (tag !== 'path') throw new Error(`${name} has a ${tag}`);
    const d = /\bd="([^"]+)"/.exec(attributes)?.[1];
    const fill = /\bfill="([^"]+)"/.exec(attributes)?.[1] ?? '#000';
    if (!d) throw new Error(`${name} has a path without shape`);
    paths.push([fill, d]);
  }
  return paths;
}

function pictures(file, names) {
  const text =
    `/** Pictures on a square of 32 units: fills with their paths. Written by scripts/pieces; the licence is in LICENCES.md beside this file. */\n` +
    `export const pictures: Readonly<Record<string, readonly (readonly [fill: string, path: string])[]>> = `;
  const all = Object.fromEntries(Object.entries(names).map(([letter, name]) => [letter, picture(name)]));
  writeFileSync(join(out, `${file}.ts`), `${text}${JSON.stringify(all, null, 1)};\n`);
}

pictures('doushouqi-pictures', {
  E: 'elephant',
  L: 'lion',
  T: 'tiger',
  P: 'leopard',
  W: 'wolf',
  D: 'dog',
  C: 'cat',
  R: 'rat'
});
pictures('xiangqi-pictures', {
  K: 'crown',
  A: 'scroll',
  B: 'elephant',
  N: 'horse',
  R: 'wheel',
  C: 'bomb',
  P: 'dagger'
});
