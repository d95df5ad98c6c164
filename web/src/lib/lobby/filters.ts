/** The filters of stored games, and the address that they stand in, so that a list can be shared. */
import type { GamesQuery } from '$lib/protocol/protocol';

/** The results that can be asked for. */
export const RESULTS = ['first', 'second', 'draw', 'aborted'] as const;
/** The clocks that can be asked for. */
export const CLOCK_WORDS = ['fischer', 'byoyomi', 'per_move', 'none'] as const;
/** Where games can be in their life. */
export const STATES = ['ended', 'playing', 'open', 'all'] as const;

/** What is asked for; null for anything. */
export interface Filters {
  status: (typeof STATES)[number];
  /** A player's id. */
  player: string | null;
  ruleset: string | null;
  result: (typeof RESULTS)[number] | null;
  clock: (typeof CLOCK_WORDS)[number] | null;
  /** Days of the reader's calendar such as `2026-11-21`, both included. */
  from: string | null;
  until: string | null;
  /** Only games older than this one. */
  before: string | null;
}

/** Everything that has ended. */
export const NO_FILTERS: Readonly<Filters> = {
  status: 'ended',
  player: null,
  ruleset: null,
  result: null,
  clock: null,
  from: null,
  until: null,
  before: null
};

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const RULESET = /^[a-z0-9_]+\/[a-z0-9_]+$/;

/** The first instant of a day of the reader's calendar, some days later; null for a day that there is not. */
export function startOfDay(day: string | null, later = 0): number | null {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '');
  if (!parts) return null;
  const [year, month, date] = parts.slice(1).map(Number) as [number, number, number];
  const start = new Date(year, month - 1, date);
  if (year < 1970 || start.getMonth() !== month - 1 || start.getDate() !== date) return null;
  return new Date(year, month - 1, date + later).getTime();
}

/** Filters from an address; what makes no sense in it asks for nothing. */
export function readFilters(query: URLSearchParams): Filters {
  const id = (name: string) => {
    const text = query.get(name);
    return text !== null && ID.test(text) ? text.toLowerCase() : null;
  };
  const day = (name: string) => {
    const text = query.get(name);
    return startOfDay(text) === null ? null : text;
  };
  const ruleset = query.get('ruleset');
  return {
    status: STATES.find((state) => state === query.get('status')) ?? 'ended',
    player: id('player'),
    ruleset: ruleset !== null && RULESET.test(ruleset) ? ruleset : null,
    result: RESULTS.find((result) => result === query.get('result')) ?? null,
    clock: CLOCK_WORDS.find((clock) => clock === query.get('clock')) ?? null,
    from: day('from'),
    until: day('until'),
    before: id('before')
  };
}

/** The address of a list, as short as it can be. */
export function address(filters: Filters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) {
    if (value !== null && !(name === 'status' && value === 'ended')) query.set(name, value);
  }
  const text = query.toString().replaceAll('%2F', '/');
  return text === '' ? '/games' : `/games?${text}`;
}

/** What the server is asked. */
export function toQuery(filters: Filters, limit: number): GamesQuery {
  const { status, player, ruleset, result, clock, before } = filters;
  const from = startOfDay(filters.from);
  const until = startOfDay(filters.until, 1);
  return {
    ...(status === 'all' ? {} : { status }),
    ...(player === null ? {} : { player }),
    ...(ruleset === null ? {} : { ruleset }),
    // Only games that have ended have a result.
    ...(result === null || status === 'open' || status === 'playing' ? {} : { result }),
    ...(clock === null ? {} : { clock }),
    ...(from === null ? {} : { from }),
    ...(until === null ? {} : { until }),
    ...(before === null ? {} : { before }),
    limit
  };
}

/** How many filters are set: for those who have folded them away. */
export function countFilters(filters: Filters): number {
  return (Object.keys(NO_FILTERS) as (keyof Filters)[]).filter(
    (name) => name !== 'before' && filters[name] !== NO_FILTERS[name]
  ).length;
}
