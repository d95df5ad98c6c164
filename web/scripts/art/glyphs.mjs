/**
 * Writes the outlines of what is written on boards: `npm ci && npm run glyphs` in this folder. They are committed, so that neither the
 * client nor the boards need a font.
 *
 * The river is brushed (Yuji Boku), names of places and coordinates are printed (Noto Serif SC, Source Serif 4): all under the SIL Open Font
 * License 1.1.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fontkit from 'fontkit';
import svgpath from 'svgpath';

const here = dirname(fileURLToPath(import.meta.url));
/** A character fits a square of so many units. */
const GRID = 100;

/** All subsets of a family in one weight. */
function family(name, weight) {
  const folder = join(here, 'node_modules/@fontsource', name, 'files');
  return readdirSync(folder)
    .filter((file) => file.endsWith(`-${weight}-normal.woff2`))
    .sort()
    .map((file) => fontkit.create(readFileSync(join(folder, file))));
}

/** The outline of a character: Chinese ones around their middle, Latin ones on a line whose capitals have their middle at 0. */
function outline(fonts, character) {
  const codePoint = character.codePointAt(0);
  const font = fonts.find((one) => one.hasGlyphForCodePoint(codePoint));
  if (!font) throw new Error(`no font has ${character}`);
  const glyph = font.glyphForCodePoint(codePoint);
  const scale = GRID / font.unitsPerEm;
  const { minX, maxX, minY, maxY } = glyph.bbox;
  const latin = codePoint < 0x2000;
  const middle = latin ? [glyph.advanceWidth / 2, font.capHeight / 2] : [(minX + maxX) / 2, (minY + maxY) / 2];
  const path = svgpath(glyph.path.toSVG()).translate(-middle[0], -middle[1]).scale(scale, -scale);
  return [
    latin ? Math.round(glyph.advanceWidth * scale) : GRID,
    path
      .rel()
      .round(latin ? 1 : 0)
      .toString()
  ];
}

function all(fonts, characters) {
  return Object.fromEntries([...characters].map((character) => [character, outline(fonts, character)]));
}

const serif = family('source-serif-4', 600);
const song = family('noto-serif-sc', 700);
const brush = family('yuji-boku', 400);

const write = (path, value) => writeFileSync(join(here, path), `${JSON.stringify(value, null, 1)}\n`);

write('glyphs.json', {
  ...all(brush, '楚河漢獸穴'),
  ...all(song, '行营大本前线山'),
  ...all(serif, 'ABCDEFGHIKLMNOPQRSTU '),
  界: outline(brush, '界')
});
write('../../art/labels.json', { ...all(serif, 'abcdefghi0123456789'), ...all(song, '一二三四五六七八九') });
// What names of players and lines of pictures consist of, but for Chinese: only the server's pictures need it.
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at));
const letters = [
  range(0x20, 0x7e),
  range(0xc0, 0x17f),
  range(0x1ea0, 0x1ef9),
  range(0x386, 0x3ce),
  range(0x401, 0x45f),
  [...'ƠơƯư·–—×’½¼¾']
];
const written = letters
  .flat()
  .filter((letter) => serif.some((font) => font.hasGlyphForCodePoint(letter.codePointAt(0))));
write('../../art/letters.json', all(serif, written));
