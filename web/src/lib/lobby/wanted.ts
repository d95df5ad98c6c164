/** What a visitor looks for: it is kept through other pages, reloads and restarts of the server, until a game begins or the visitor stops. */
import type { AskSeek, Lobby, Pool } from '$lib/protocol/protocol';
import { KEPT } from './looking.svelte';

/** A pool, without who waits there. */
export type PoolName = Omit<Pool, 'waiting'>;
/** A seek as it was asked for. */
export type SeekTerms = Omit<AskSeek, 'command'>;

/** A place in a pool, or a seek; `id` is its present one. */
export type Search = { id: string } & ({ pool: PoolName } | { seek: SeekTerms });

/** A page that was away for longer does not look any further: the visitor may have gone. */
const FORGOTTEN_MS = 10 * 60_000;
/** Where tabs tell each other which search was cancelled last. */
const CANCELLED = 'qiguan.search_cancelled';

/** Those of what is wanted that the lobby does not have any more. */
export function missing(wanted: readonly Search[], lobby: Pick<Lobby, 'own_seeks' | 'own_pools'>): Search[] {
  const there = new Set([...lobby.own_seeks, ...lobby.own_pools].map(({ id }) => id));
  return wanted.filter(({ id }) => !there.has(id));
}

/** Searches on the same terms at several times, as one. */
export interface Together {
  ids: readonly string[];
  ruleset: string;
  times: readonly string[];
  rated: boolean;
  /** When the first of them began; infinite where that is not known. */
  since: number;
}

/** Puts searches together that differ by their time alone. */
export function together(
  searches: readonly { id: string; ruleset: string; time: string; rated?: boolean; since: number }[]
): Together[] {
  const found = new Map<string, Together>();
  for (const { id, ruleset, time, rated = false, since } of searches) {
    const key = `${ruleset} ${rated}`;
    const one = found.get(key) ?? { ids: [], ruleset, times: [], rated, since };
    found.set(key, {
      ...one,
      ids: [...one.ids, id],
      times: [...one.times, time],
      since: Math.min(one.since, since)
    });
  }
  return [...found.values()];
}

interface Kept {
  at: number;
  wanted: readonly Search[];
}

function isSearch(value: unknown): value is Search {
  if (typeof value !== 'object' || value === null || !('id' in value) || typeof value.id !== 'string') return false;
  const subject = 'pool' in value ? value.pool : 'seek' in value ? value.seek : null;
  return typeof subject === 'object' && subject !== null;
}

/** What was wanted according to a kept text, at `now`. */
export function read(text: string | null, now: number): readonly Search[] {
  try {
    const { at, wanted } = JSON.parse(text ?? '{}') as Partial<Kept>;
    if (typeof at !== 'number' || now - at > FORGOTTEN_MS || !Array.isArray(wanted)) return [];
    return wanted.filter(isSearch);
  } catch {
    // Somebody else's text under our key.
    return [];
  }
}

/** What this tab looked for before it was loaded again. */
export function recalled(): readonly Search[] {
  try {
    return read(sessionStorage.getItem(KEPT), Date.now());
  } catch {
    // A browser that forbids storage: searches last as long as the page.
    return [];
  }
}

/** Keeps what this tab looks for, as of now. */
export function keep(wanted: readonly Search[]): void {
  try {
    if (wanted.length === 0) sessionStorage.removeItem(KEPT);
    else sessionStorage.setItem(KEPT, JSON.stringify({ at: Date.now(), wanted } satisfies Kept));
  } catch {
    // See `recalled`.
  }
}

/** Tells the other tabs of this browser that a search was cancelled. */
export function tellOtherTabs(id: string): void {
  try {
    localStorage.setItem(CANCELLED, id);
  } catch {
    // See `recalled`.
  }
}

/** Calls with each search that another tab cancels. What comes back ends it. */
export function onCancelledElsewhere(then: (id: string) => void): () => void {
  const told = ({ key, newValue }: StorageEvent) => {
    if (key === CANCELLED && newValue !== null) then(newValue);
  };
  window.addEventListener('storage', told);
  return () => window.removeEventListener('storage', told);
}
