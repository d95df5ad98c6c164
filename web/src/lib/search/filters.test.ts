import { expect, it } from 'vitest';
import {
  address,
  downloadAddress,
  countFilters,
  NO_FILTERS,
  OVERSEEN,
  readFilters,
  startOfDay,
  toQuery,
  wholeNumber,
  type Filters
} from './filters';

const PLAYER = '0197d3a0-0000-7000-8000-000000000001';
const OPPONENT = '0197d3a0-0000-7000-8000-000000000002';
const all: Filters = {
  status: 'all',
  player: PLAYER,
  against: OPPONENT,
  rules: 'xiangqi/standard',
  result: 'draw',
  reason: 'repetition',
  least: 20,
  most: 80,
  weakest: 1500,
  strongest: 2000,
  rated: 'no',
  clock: 'byoyomi',
  position: 'r1/2/R1 b',
  from: '2026-11-01',
  until: '2026-11-30',
  before: PLAYER
};

function read(text: string): Filters {
  return readFilters(new URLSearchParams(text));
}

it('come back from the address as they went', () => {
  for (const filters of [NO_FILTERS, all, { ...NO_FILTERS, status: 'playing' as const, least: 0 }]) {
    expect(read(address(filters).split('?')[1] ?? '')).toEqual(filters);
  }
  expect(address(NO_FILTERS)).toBe('/games');
  expect(address({ ...NO_FILTERS, rules: 'xiangqi/standard' })).toBe('/games?rules=xiangqi/standard');
});

it('begin with the games that go on where all games are listed, and stand beside the game that is looked at', () => {
  expect(address(OVERSEEN.usual, OVERSEEN)).toBe('/admin/games');
  expect(readFilters(new URLSearchParams(''), OVERSEEN)).toEqual(OVERSEEN.usual);
  expect(countFilters(OVERSEEN.usual, OVERSEEN)).toBe(0);
  const ended = address({ ...OVERSEEN.usual, status: 'ended' }, OVERSEEN, PLAYER);
  expect(ended).toBe(`/admin/games?status=ended&game=${PLAYER}`);
  expect(readFilters(new URLSearchParams(ended.split('?')[1]), OVERSEEN)).toEqual(NO_FILTERS);
});

it('ask for nothing that makes no sense', () => {
  const nonsense =
    'status=x&player=me&rules=<script>&result=won&reason=boredom&least=-1&most=many&weakest=1e9&strongest=5000&rated=maybe&clock=sand&from=2026-02-30&until=soon&before=1';
  expect(read(nonsense)).toEqual(NO_FILTERS);
});

it('ask for the games of two only where there is a first, and not against oneself', () => {
  expect(read(`against=${OPPONENT}`).against).toBeNull();
  expect(read(`player=${PLAYER}&against=${PLAYER}`).against).toBeNull();
  expect(read(`player=${PLAYER}&against=${OPPONENT}`).against).toBe(OPPONENT);
});

it('ask for a position only of one rule set', () => {
  expect(read('rules=xiangqi&position=r1/2/R1+b').position).toBeNull();
  expect(read('rules=xiangqi/standard&position=r1/2/R1+b+-+-+0+9').position).toBe('r1/2/R1 b');
  expect(read('rules=xiangqi/standard&position=nowhere').position).toBeNull();
});

it('understand addresses that were shared before', () => {
  expect(read('ruleset=luzhanqi/modern').rules).toBe('luzhanqi/modern');
});

it('take both ends of every range', () => {
  const query = toQuery(all, 30);
  expect(query).toEqual({
    player: PLAYER,
    against: OPPONENT,
    ruleset: 'xiangqi/standard',
    result: 'draw',
    reason: 'repetition',
    plies_from: 20,
    plies_until: 81,
    rating_from: 1500,
    rating_until: 2001,
    rated: false,
    clock: 'byoyomi',
    position: 'r1/2/R1 b',
    from: new Date(2026, 10, 1).getTime(),
    until: new Date(2026, 11, 1).getTime(),
    before: PLAYER,
    limit: 30
  });
});

it('ask for a kind of game or for a rule set', () => {
  expect(toQuery({ ...NO_FILTERS, rules: 'luzhanqi' }, 30)).toEqual({ status: 'ended', game: 'luzhanqi', limit: 30 });
  expect(toQuery({ ...NO_FILTERS, rules: 'luzhanqi/modern' }, 30).ruleset).toBe('luzhanqi/modern');
});

it('ask for no result and no length of games that have none', () => {
  const query = toQuery({ ...all, status: 'playing' }, 30);
  for (const name of ['result', 'reason', 'plies_from', 'plies_until'] as const) expect(query[name]).toBeUndefined();
  expect(query.rating_from).toBe(1500);
  expect(toQuery({ ...all, status: 'ended' }, 30).result).toBe('draw');
});

it('download all that is listed, and no page of it', () => {
  expect(downloadAddress({ ...all, from: null, until: null }, 'ndjson')).toBe(
    `/api/games/export/ndjson?status=ended&player=${PLAYER}&against=${OPPONENT}&ruleset=xiangqi%2Fstandard&result=draw&reason=repetition` +
      '&plies_from=20&plies_until=81&rating_from=1500&rating_until=2001&rated=false&clock=byoyomi&position=r1%2F2%2FR1+b'
  );
  expect(downloadAddress({ ...NO_FILTERS, status: 'all' }, 'text')).toBe('/api/games/export/text?status=ended');
});

it('know the days that there are', () => {
  expect(startOfDay('2024-02-29')).not.toBeNull();
  for (const day of ['2026-02-29', '2026-13-01', '1969-01-01', '26-01-01', '', null])
    expect(startOfDay(day)).toBeNull();
});

it('read whole numbers within their bounds', () => {
  expect(wholeNumber('0', 10)).toBe(0);
  expect(wholeNumber(' 10 ', 10)).toBe(10);
  for (const text of ['11', '-1', '1.5', '', 'ten', null]) expect(wholeNumber(text, 10)).toBeNull();
});

it('are counted without the page', () => {
  expect(countFilters(NO_FILTERS)).toBe(0);
  expect(countFilters(all)).toBe(15);
  expect(countFilters({ ...NO_FILTERS, before: PLAYER })).toBe(0);
});
