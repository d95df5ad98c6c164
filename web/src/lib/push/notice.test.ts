import { describe, expect, it } from 'vitest';
import { LOCALES } from '$lib/locales';
import { noticeOf, readMessage } from './notice';

const MESSAGE = {
  kind: 'turn',
  game: '01890000-0000-7000-8000-000000000001',
  opponent: 'Bodo',
  ruleset: 'xiangqi/standard',
  language: 'de',
  at: 1_795_000_000_000
} as const;

describe('a message', () => {
  it('is read as it was sent, and nothing else is', () => {
    expect(readMessage(JSON.stringify(MESSAGE))).toEqual(MESSAGE);
    const others = ['', 'null', '[]', '"x"', '{}', '{"kind":"turn"}'];
    const wrong = [{ kind: 'other' }, { game: '/../evil' }, { opponent: 1 }, { language: null }, { at: 'now' }];
    for (const text of [...others, ...wrong.map((change) => JSON.stringify({ ...MESSAGE, ...change }))]) {
      expect(readMessage(text), text).toBeNull();
    }
  });

  it('is told in the language of the device', () => {
    const { title, body, lang, game } = noticeOf(MESSAGE);
    expect([title, lang, game]).toEqual(['Du bist dran: Xiangqi', 'de', MESSAGE.game]);
    expect(body).toBe('\u2068Bodo\u2069 wartet auf dich.');
    expect(noticeOf({ ...MESSAGE, language: 'fr' }).title).toBe('Your turn: Xiangqi');
  });

  it.each(Object.keys(LOCALES))('has all its words in %s', (language) => {
    for (const kind of ['turn', 'challenge', 'pairing'] as const) {
      for (const ruleset of ['xiangqi/standard', 'luzhanqi/modern', 'doushouqi/booklet']) {
        const { title, body } = noticeOf({ ...MESSAGE, kind, ruleset, language });
        expect(`${title} ${body}`).toContain('Bodo');
        expect(title).not.toContain(ruleset);
        expect(`${title}${body}`).not.toMatch(/[{}]/);
      }
    }
    expect(noticeOf({ ...MESSAGE, ruleset: 'go/nineteen', language }).title).toContain('go/nineteen');
  });

  it('lets no name turn its sentence around', () => {
    expect(noticeOf({ ...MESSAGE, opponent: 'a\u202eb' }).body).toBe('\u2068ab\u2069 wartet auf dich.');
  });
});
