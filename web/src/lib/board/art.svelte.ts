/** The outlines of a game's pieces, fetched when a board of that game is drawn for the first time. */
import type { GameKind } from './config';

/** Which characters, or pictures, pieces carry. */
export type PieceSet = 'traditional' | 'simplified' | 'pictures';

/** Fills with their paths, on a square of 32 units. */
export type Picture = readonly (readonly [fill: string, path: string])[];

/** What pieces are drawn from. */
export interface Art {
  /** Outlines of characters on a square of 200 units around the origin. */
  outlines: Readonly<Record<string, string>>;
  /** Pictures by upper-case letter. */
  pictures: Readonly<Record<string, Picture>>;
}

const files = import.meta.glob<Partial<Art>>('./pieces/*.ts');
let fetched = $state.raw<Readonly<Record<string, Art>>>({});
const asked = new Set<string>();

function namesOf(game: GameKind, set: PieceSet): string[] {
  const names = [`${game}-${set === 'simplified' ? 'simplified' : 'traditional'}`];
  if (game === 'doushouqi' || (game === 'xiangqi' && set === 'pictures')) names.push(`${game}-pictures`);
  return names;
}

/** Fetches what a game's pieces are drawn from, once. */
export async function fetchArt(game: GameKind, set: PieceSet): Promise<void> {
  const key = `${game}-${set}`;
  if (asked.has(key)) return;
  asked.add(key);
  try {
    const parts = await Promise.all(namesOf(game, set).map((name) => files[`./pieces/${name}.ts`]?.()));
    const art: Art = { outlines: {}, pictures: {} };
    for (const part of parts) {
      if (part?.outlines) art.outlines = part.outlines;
      if (part?.pictures) art.pictures = part.pictures;
    }
    fetched = { ...fetched, [key]: art };
  } catch {
    // The network is away: the next board that is drawn asks again.
    asked.delete(key);
  }
}

/** What a game's pieces are drawn from; null until it is there. */
export function artOf(game: GameKind, set: PieceSet): Art | null {
  return fetched[`${game}-${set}`] ?? null;
}
