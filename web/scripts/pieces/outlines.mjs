/** Outlines of characters: from fonts that anybody may use, as short paths around the origin. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fontkit from 'fontkit';
import svgpath from 'svgpath';

const packages = join(dirname(fileURLToPath(import.meta.url)), 'node_modules', '@fontsource');

/** All subsets of a family in one weight, opened when they are needed. */
export function openFamily(family, weight) {
  const folder = join(packages, family, 'files');
  const fonts = readdirSync(folder)
    .filter((name) => name.endsWith(`-${weight}-normal.woff2`))
    .sort()
    .map((name) => fontkit.create(readFileSync(join(folder, name))));
  return (codePoint) => fonts.find((font) => font.hasGlyphForCodePoint(codePoint));
}

/** The outline of a character on a square of `grid` units, its middle at the origin, y downwards. */
export function outline(families, character, grid) {
  const codePoint = character.codePointAt(0);
  const font = families.map((find) => find(codePoint)).find((found) => found !== undefined);
  if (!font) throw new Error(`no font has ${character}`);
  const glyph = font.glyphForCodePoint(codePoint);
  const scale = grid / font.unitsPerEm;
  const { minX, maxX, minY, maxY } = glyph.bbox;
  return svgpath(glyph.path.toSVG())
    .translate(-(minX + maxX) / 2, -(minY + maxY) / 2)
    .scale(scale, -scale)
    .rel()
    .round(0)
    .toString();
}
