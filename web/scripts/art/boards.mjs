/** Writes the boards (`node scripts/art/boards.mjs`); a test compares the files with what this makes. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { boards as doushouqi } from './doushouqi.mjs';
import { boards as luzhanqi } from './luzhanqi.mjs';
import { boards as xiangqi } from './xiangqi.mjs';

/** All boards: the text of each by its path in `art/`. */
export function all() {
  const games = Object.entries({ doushouqi, luzhanqi, xiangqi });
  return new Map(
    games.flatMap(([game, boards]) =>
      Object.entries(boards).map(([name, draw]) => [`boards/${game}/${name}.svg`, draw()])
    )
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const art = new URL('../../art/', import.meta.url);
  for (const [name, text] of all()) {
    mkdirSync(new URL('.', new URL(name, art)), { recursive: true });
    writeFileSync(new URL(name, art), text);
  }
}
