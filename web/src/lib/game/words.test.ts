import { beforeEach, describe, expect, it } from 'vitest';
import { need } from '$lib/i18n/index.svelte';
import { LOCALES, type Locale } from '$lib/locales';
import { ERROR_CODES, type EndReason } from '$lib/protocol/protocol';
import { LinkLost, Refusal } from '$lib/protocol/refusal';
import { settings } from '$lib/settings.svelte';
import { faultDetail, faultText } from '$lib/ui/faults';
import { isolated } from '$lib/ui/bidi';
import { outcomeText, resultText, rulesetName, rulesetTitle, seatName, spanText, timeText, timeWords } from './words';

beforeEach(async () => {
  settings.locale = 'en';
  await need('common', 'game');
});

/** Intl puts narrow and hard spaces where it likes. */
const plain = (text: string) => text.replace(/\s/g, ' ');

describe('rule sets and seats', () => {
  it('have names, and what is not known is called by its id', () => {
    expect(rulesetTitle('xiangqi/standard')).toBe('Xiangqi · Standard');
    expect(rulesetName('luzhanqi/of_tomorrow')).toBe('of_tomorrow');
  });

  it.each([
    ['doushouqi/booklet', 'Blue', 'Red'],
    ['doushouqi/tierschach', 'White', 'Black'],
    ['luzhanqi/modern', 'Red', 'Blue'],
    ['xiangqi/grunfeld', 'Red', 'Black']
  ])('in %s are %s and %s', (ruleset, first, second) => {
    expect([seatName(ruleset, 'first'), seatName(ruleset, 'second')]).toEqual([first, second]);
  });
});

describe('an outcome', () => {
  const ruleset = 'xiangqi/standard';

  it('is a sentence about the seats', () => {
    expect(outcomeText({ ruleset, outcome: { winner: 'first', reason: 'checkmate' } })).toBe('Red won by checkmate');
    expect(outcomeText({ ruleset, outcome: { winner: 'second', reason: 'resignation' } })).toBe(
      'Black won: Red resigned'
    );
    const decided = { winner: null, reason: 'adjudication' } as const;
    expect(outcomeText({ ruleset, outcome: decided })).toBe('Draw: a moderator decided');
    expect(outcomeText({ ruleset, outcome: null })).toBe('');
  });

  it('is described to a player as their own', () => {
    const outcome = { winner: 'first', reason: 'timeout' } as const;
    expect(resultText({ ruleset, outcome, you: 'first' })).toBe('You won');
    expect(resultText({ ruleset, outcome, you: 'second' })).toBe('You lost');
    expect(resultText({ ruleset, outcome })).toBe('Red won');
    expect(resultText({ ruleset, outcome: { winner: null, reason: 'agreement' }, you: 'first' })).toBe('Draw');
    expect(resultText({ ruleset, outcome: { winner: null, reason: 'aborted' }, you: 'first' })).toBe('Aborted');
  });

  it.each(Object.keys(LOCALES) as Locale[])('has words for each reason in %s', async (locale) => {
    settings.locale = locale;
    await need('game');
    const reasons: EndReason[] = ['den', 'elimination', 'flag', 'no_moves', 'checkmate', 'stalemate', 'repetition'];
    const others: EndReason[] = [
      'quiet_limit',
      'length_limit',
      'resignation',
      'timeout',
      'agreement',
      'abandonment',
      'adjudication',
      'aborted'
    ];
    const told = [...reasons, ...others].map((reason) =>
      outcomeText({ ruleset, outcome: { winner: 'first', reason } })
    );
    expect(new Set(told).size).toBe(15);
    expect(told.join()).not.toMatch(/game\.|undefined|\{/);
  });
});

describe('time', () => {
  it('is told in its one or two largest units', () => {
    expect([300_000, 90_000, 30_000, 172_800_000, 5_400_000, 0].map((ms) => plain(spanText(ms)))).toEqual([
      '5 min',
      '1 min 30 sec',
      '30 sec',
      '2 days',
      '1 hr 30 min',
      '0 sec'
    ]);
  });

  it('controls are as short as players write them', () => {
    const fischer = (initial_ms: number, increment_ms: number) => ({
      clock: { type: 'fischer', initial_ms, increment_ms } as const
    });
    expect(timeText(fischer(300_000, 3_000))).toBe('5+3');
    expect(timeText(fischer(30_000, 0))).toBe('½+0');
    expect(timeText({ clock: { type: 'none' } })).toBe('no clock');
    expect(plain(timeText({ clock: { type: 'per_move', move_ms: 172_800_000 } }))).toBe('2 days a move');
    const byoyomi = { type: 'byoyomi', main_ms: 600_000, period_ms: 30_000, periods: 3 } as const;
    expect(plain(timeText({ clock: byoyomi }))).toBe('10 min + 3 × 30 sec');
    expect(plain(timeWords(fischer(300_000, 3_000)))).toBe('5 min + 3 sec per move');
  });
});

describe('a fault', () => {
  it.each(Object.keys(LOCALES) as Locale[])('has a text for every code of the protocol in %s', async (locale) => {
    settings.locale = locale;
    await need('common');
    const unknown = faultText(new Error('?'));
    for (const code of ERROR_CODES) {
      const text = faultText(new Refusal({ code, message: '' }));
      expect(text, code).not.toBe(unknown);
      expect(text, code).not.toContain('error_');
    }
    expect(faultText(new LinkLost())).not.toBe(unknown);
  });

  it('shows what the server said where that says more', () => {
    expect(faultDetail(new Refusal({ code: 'banned', message: 'until tomorrow' }))).toBe('until tomorrow');
    expect(faultDetail(new Refusal({ code: 'stale', message: 'ply 3' }))).toBeNull();
    expect(faultDetail(new LinkLost())).toBeNull();
  });
});

it('keeps a name inside its place in a sentence', () => {
  const [open, close] = [0x2068, 0x2069].map((point) => String.fromCodePoint(point));
  expect(isolated(`a${String.fromCodePoint(0x202e)}b${String(close)}c`)).toBe(`${String(open)}abc${String(close)}`);
});
