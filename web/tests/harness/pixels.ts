/** Pictures compared by what is seen: the mean colours of small squares. */
import type { Page } from '@playwright/test';

/** A part of a picture, in its pixels. */
export interface Part {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A grid of mean colours. */
export interface Mosaic {
  columns: number;
  /** Red, green and blue of each square, row by row. */
  colours: readonly (readonly [number, number, number])[];
}

/** How wide and high a square of the grid is, in pixels: about a quarter of a piece. */
const SIDE = 12;

/** The mean colours of a part of a PNG, stretched to a size. The page only lends its canvas. */
export async function mosaic(
  page: Page,
  png: Buffer,
  part: Part,
  size: { width: number; height: number }
): Promise<Mosaic> {
  return page.evaluate(
    async ({ base64, part, size, side }) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(size.width, size.height);
      const context = canvas.getContext('2d', { willReadFrequently: true });
      if (!context) throw new Error('this browser has no canvas');
      context.drawImage(bitmap, part.x, part.y, part.width, part.height, 0, 0, size.width, size.height);
      const columns = Math.floor(size.width / side);
      const { data, width } = context.getImageData(0, 0, size.width, size.height);
      const colours: [number, number, number][] = [];
      for (let row = 0; row < Math.floor(size.height / side); row += 1) {
        for (let column = 0; column < columns; column += 1) {
          const sums: [number, number, number] = [0, 0, 0];
          for (let down = row * side; down < (row + 1) * side; down += 1) {
            const first = (down * width + column * side) * 4;
            for (let at = first; at < first + side * 4; at += 4) {
              sums[0] += data[at] ?? 0;
              sums[1] += data[at + 1] ?? 0;
              sums[2] += data[at + 2] ?? 0;
            }
          }
          colours.push([sums[0] / (side * side), sums[1] / (side * side), sums[2] / (side * side)]);
        }
      }
      return { columns, colours };
    },
    { base64: png.toString('base64'), part, size, side: SIDE }
  );
}

/** How far the two squares are from each other that differ most: 0 to 255 on average of the three colours. The corners are left out, where browsers round. */
export function difference(one: Mosaic, other: Mosaic): { most: number; column: number; row: number } {
  if (one.columns !== other.columns || one.colours.length !== other.colours.length) throw new Error('other sizes');
  const rows = one.colours.length / one.columns;
  let found = { most: 0, column: 0, row: 0 };
  for (const [at, colour] of one.colours.entries()) {
    const [column, row] = [at % one.columns, Math.floor(at / one.columns)];
    const corner = (column === 0 || column === one.columns - 1) && (row === 0 || row === rows - 1);
    const opposite = other.colours[at];
    if (corner || !opposite) continue;
    const apart = colour.reduce((sum, part, index) => sum + Math.abs(part - (opposite[index] ?? 0)), 0) / 3;
    if (apart > found.most) found = { most: apart, column, row };
  }
  return found;
}
