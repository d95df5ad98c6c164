/** The filters of stored games, and the address that they stand in, so that a list can be shared. */
import type { EndReason, GamesQuery } from '$lib/protocol/protocol';
import { positionIn } from '$lib/game/line';
import { isGame } from '$lib/game/rulesets';

/** The results that can be asked for. */
export const RESULTS = ['first', 'second', 'draw', 'aborted'] as const;
/** The reasons for an end that can be asked for; that a game was aborted is a result, too, and asked for as that. */
export const REASONS = [
  'checkmate',
  'stalemate',
  'den',
  'elimination',
  'flag',
  'no_moves',
  'resignation',
  'timeout',
  'abandonment',
  'adjudication',
  'agreement',
  'repetition',
  'quiet_limit',
  'length_limit'
] as const satisfies readonly EndReason[];
/** The clocks that can be asked for. */
export const CLOCK_WORDS = ['fischer', 'byoyomi', 'per_move', 'none'] as const;
/** Where games can be in their life. */
export const STATES = ['ended', 'playing', 'open', 'all'] as const;
/** Whether games count. */
export const RATED = ['yes', 'no'] as const;

/** The most plies and the highest rating that can be asked for. */
export const MOST = { plies: 9_999, rating: 4_000 } as const;

/** What is asked for; null for anything. */
export interface Filters {
  status: (typeof STATES)[number];
  /** A player's id. */
  player: string | null;
  /** The id of whom `player` has played against; null without `player`. */
  against: string | null;
  /** A rule set, or a kind of game. */
  rules: string | null;
  result: (typeof RESULTS)[number] | null;
  reason: (typeof REASONS)[number] | null;
  /** How many plies were played, both included. */
  least: number | null;
  most: number | null;
  /** The ratings of both players, both included. */
  weakest: number | null;
  strongest: number | null;
  rated: (typeof RATED)[number] | null;
  clock: (typeof CLOCK_WORDS)[number] | null;
  /** A position that was reached, without its counters; null without a rule set. */
  position: string | null;
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
  against: null,
  rules: null,
  result: null,
  reason: null,
  least: null,
  most: null,
  weakest: null,
  strongest: null,
  rated: null,
  clock: null,
  position: null,
  from: null,
  until: null,
  before: null
};

/** A page with a list of games: where it is, and what it lists when nothing is asked for. */
export interface List {
  path: '/games' | '/admin/games';
  usual: Readonly<Filters>;
}

/** Stored games, for everybody. */
export const STORED: List = { path: '/games', usual: NO_FILTERS };
/** All games, for moderators and admins: first those that go on. */
export const OVERSEEN: List = { path: '/admin/games', usual: { ...NO_FILTERS, status: 'playing' } };

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

/** A number of a field or an address, from 0 to `most`; null for nothing, and for an invalid one. */
export function wholeNumber(text: string | null, most: number): number | null {
  if (text === null || !/^\d{1,6}$/.test(text.trim())) return null;
  const value = Number(text);
  return value <= most ? value : null;
}

/** One of a list's words; null for any other. */
export function oneOf<T extends string>(list: readonly T[], text: string | null): T | null {
  return list.find((word) => word === text) ?? null;
}

/** What reads an id and a day of the reader's calendar from an address; null for one that is missing or invalid. */
export function readers(query: URLSearchParams) {
  return {
    id(name: string): string | null {
      const text = query.get(name);
      return text !== null && ID.test(text) ? text.toLowerCase() : null;
    },
    day(name: string): string | null {
      const text = query.get(name);
      return startOfDay(text) === null ? null : text;
    }
  };
}

/** Filters from an address; what makes no sense in it asks for nothing. */
export function readFilters(query: URLSearchParams, { usual }: List = STORED): Filters {
  const { id, day } = readers(query);
  const number = (name: string, most: number) => wholeNumber(query.get(name), most);
  // Addresses of before had the rule set under its own name.
  const rules = query.get('rules') ?? query.get('ruleset');
  const player = id('player');
  const against = id('against');
  return {
    status: oneOf(STATES, query.get('status')) ?? usual.status,
    player,
    against: player === null || against === player ? null : against,
    rules: rules !== null && (isGame(rules) || RULESET.test(rules)) ? rules : null,
    result: oneOf(RESULTS, query.get('result')),
    reason: oneOf(REASONS, query.get('reason')),
    least: number('least', MOST.plies),
    most: number('most', MOST.plies),
    weakest: number('weakest', MOST.rating),
    strongest: number('strongest', MOST.rating),
    rated: oneOf(RATED, query.get('rated')),
    clock: oneOf(CLOCK_WORDS, query.get('clock')),
    position: rules?.includes('/') === true ? positionIn(query.get('position')) : null,
    from: day('from'),
    until: day('until'),
    before: id('before')
  };
}

/** The address of a list, as short as it can be; `game` is one that is looked at beside it. */
export function address(filters: Filters, { path, usual }: List = STORED, game: string | null = null): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters) as [keyof Filters, Filters[keyof Filters]][]) {
    if (value !== null && value !== usual[name]) query.set(name, String(value));
  }
  if (game !== null) query.set('game', game);
  const text = query.toString().replaceAll('%2F', '/');
  return text === '' ? path : `${path}?${text}`;
}

/** Whether games are asked for that can have an end. */
export function canHaveEnded({ status }: Pick<Filters, 'status'>): boolean {
  return status === 'ended' || status === 'all';
}

/** The end of a range that the server does not include any more, after one that the reader does. */
const after = (last: number | null) => (last === null ? null : last + 1);

/** What the server is asked. */
export function toQuery(filters: Filters, limit: number): GamesQuery & { limit: number } {
  const { status, rules, rated } = filters;
  const ended = canHaveEnded(filters);
  const asked: { [K in keyof GamesQuery]: GamesQuery[K] | null } = {
    status: status === 'all' ? null : status,
    player: filters.player,
    against: filters.against,
    ...(rules !== null && isGame(rules) ? { game: rules } : { ruleset: rules }),
    // Only games that have ended have a result and a length.
    result: ended ? filters.result : null,
    reason: ended ? filters.reason : null,
    plies_from: ended ? filters.least : null,
    plies_until: ended ? after(filters.most) : null,
    rating_from: filters.weakest,
    rating_until: after(filters.strongest),
    rated: rated === null ? null : rated === 'yes',
    clock: filters.clock,
    position: filters.position,
    from: startOfDay(filters.from),
    until: startOfDay(filters.until, 1),
    before: filters.before
  };
  return { ...Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== null)), limit };
}

/** The address of all games that are listed and over, in one download. */
export function downloadAddress(filters: Filters, as: 'ndjson' | 'text'): string {
  const query: GamesQuery = toQuery({ ...filters, status: 'ended', before: null }, 1);
  delete query.limit;
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  return `/api/games/export/${as}?${text}`;
}

/** How many filters are set: for those who have folded them away. */
export function countFilters(filters: Filters, { usual }: List = STORED): number {
  return (Object.keys(usual) as (keyof Filters)[]).filter((name) => name !== 'before' && filters[name] !== usual[name])
    .length;
}
