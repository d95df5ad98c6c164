/** Sets of pieces: each is a file of symbols (`art/pieces`) that is fetched once; boards draw from it by `<use>`. */
import type { Locale } from '$lib/locales';
import type { PieceSet } from '$lib/piece_sets';
import type { GameKind } from './config';

/** How strong Dou Shou Qi's animals are where no rule set says otherwise. */
export const ANIMALS: Readonly<Record<string, number>> = { E: 8, L: 7, T: 6, P: 5, W: 4, D: 3, C: 2, R: 1 };

/** The characters that stand beside the heads of Dou Shou Qi, for people who read them. */
export const SCRIPTS: Readonly<Record<Locale, 'simplified' | 'traditional' | null>> = {
  en: null,
  de: null,
  'zh-Hans': 'simplified',
  'zh-Hant': 'traditional',
  vi: null
};

/** The sets of Dou Shou Qi whose pieces have no character of their own. */
const WITHOUT_CHARACTERS: readonly string[] = ['heads', 'silhouettes'];

const files = import.meta.glob<string>('../../../art/pieces/*/*.svg', {
  query: '?url&no-inline',
  import: 'default',
  eager: true
});
const asked = new Set<string>();

/** Fetches a set and puts its symbols into the page, once. */
export async function fetchSet(game: GameKind, set: PieceSet): Promise<void> {
  const name = `${game}/${set}`;
  const file = files[`../../../art/pieces/${name}.svg`];
  if (file === undefined || asked.has(name)) return;
  asked.add(name);
  try {
    const answer = await fetch(file);
    if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
    const { documentElement } = new DOMParser().parseFromString(await answer.text(), 'image/svg+xml');
    documentElement.setAttribute('aria-hidden', 'true');
    // Without a place of its own, but not `display: none`: gradients in it would not be drawn then.
    Object.assign(documentElement.style, { position: 'absolute', width: '0', height: '0' });
    document.body.append(document.adoptNode(documentElement));
  } catch {
    // The network is away: the next board that is drawn asks again.
    asked.delete(name);
  }
}

/** What a piece is drawn from: the ids of symbols, one over the other. */
export function symbolsOf(
  game: GameKind,
  set: PieceSet,
  letter: string,
  more: { strength?: number | undefined; guess?: string | undefined; characters: 'simplified' | 'traditional' | null }
): string[] {
  const [id, kind] = [`${game}-${set}`, letter.toUpperCase()];
  const ids = [`${id}-${letter}`];
  if (game === 'doushouqi') {
    ids.push(`${id}-strength-${more.strength}`);
    if (more.characters && WITHOUT_CHARACTERS.includes(set)) ids.push(`${id}-${more.characters}-${kind}`);
  }
  if (kind === 'U' && more.guess) ids.push(`${id}-guess-${more.guess.toUpperCase()}`);
  return ids;
}
