/**
 * Writes the sets of pieces: `npm ci && npm run make` in this folder. What it writes is committed, so that building the client
 * needs none of these packages, and is the same at each run.
 *
 * Characters, letters and digits are outlines from fonts (OFL, see LICENCES.md beside the sets); all else is drawn here.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { doushouqi } from './doushouqi.mjs';
import { luzhanqi } from './luzhanqi.mjs';
import { writeSet } from './svg.mjs';
import { xiangqi } from './xiangqi.mjs';

const out = join(dirname(fileURLToPath(import.meta.url)), '../../art/pieces');

for (const { file, definitions, symbols } of [...doushouqi, ...luzhanqi, ...xiangqi]) {
  writeSet(join(out, file), definitions, symbols);
}
