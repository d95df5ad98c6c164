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

function glyphOf(find, character) {
  const codePoint = character.codePointAt(0);
  const font = find(codePoint);
  if (!font) throw new Error(`no font has ${character}`);
  return { glyph: font.glyphForCodePoint(codePoint), unitsPerEm: font.unitsPerEm };
}

/** The outline of a character on a square of `grid` units, its middle at the origin, y downwards. */
export function outline(find, character, grid, digits = 0) {
  const { glyph, unitsPerEm } = glyphOf(find, character);
  const scale = grid / unitsPerEm;
  const { minX, maxX, minY, maxY } = glyph.bbox;
  return svgpath(glyph.path.toSVG())
    .translate(-(minX + maxX) / 2, -(minY + maxY) / 2)
    .scale(scale, -scale)
    .rel()
    .round(digits)
    .toString();
}

/** The contours of a glyph, each with its bounds. */
function contours(glyph) {
  return glyph.path
    .toSVG()
    .split(/(?=M)/)
    .map((d) => {
      const numbers = d.match(/-?\d+(\.\d+)?/g).map(Number);
      const xs = numbers.filter((_, index) => index % 2 === 0);
      return { d, left: Math.min(...xs), right: Math.max(...xs) };
    });
}

/**
 * A character that a font lacks, put together as characters are: the strokes of `left` that end before `until`, and right of `at` those
 * strokes of `right` that begin after `from`, made as narrow as need be. All three are shares of the square.
 */
export function composed(find, left, right, { until, from, at }, size, digits = 1) {
  const one = glyphOf(find, left);
  const other = glyphOf(find, right);
  const em = one.unitsPerEm;
  const leftParts = contours(one.glyph).filter((contour) => contour.right < until * em);
  const rightParts = contours(other.glyph).filter((contour) => contour.left > from * em);
  const start = Math.min(...rightParts.map((contour) => contour.left));
  const end = Math.max(...rightParts.map((contour) => contour.right));
  const { minX, maxX, minY, maxY } = one.glyph.bbox;
  const placed = svgpath(rightParts.map(({ d }) => d).join(''))
    .translate(-start, 0)
    .scale((maxX - at * em) / (end - start), 1)
    .translate(at * em, 0);
  return svgpath(leftParts.map(({ d }) => d).join('') + placed.toString())
    .translate(-(minX + maxX) / 2, -(minY + maxY) / 2)
    .scale(size / em, -size / em)
    .rel()
    .round(digits)
    .toString();
}

/** A word of Latin letters and digits on one line, its middle at the origin; `width` narrows what would be wider. */
export function word(find, text, size, width = Infinity, digits = 1) {
  const parts = [];
  let x = 0;
  let height = 0;
  for (const character of text) {
    const { glyph, unitsPerEm } = glyphOf(find, character);
    const scale = size / unitsPerEm;
    parts.push(svgpath(glyph.path.toSVG()).scale(scale, -scale).translate(x, 0).toString());
    x += glyph.advanceWidth * scale;
    height = Math.max(height, glyph.bbox.maxY * scale);
  }
  const narrow = Math.min(1, width / x);
  return svgpath(parts.join(''))
    .translate(-x / 2, height / 2)
    .scale(narrow, 1)
    .rel()
    .round(digits)
    .toString();
}
