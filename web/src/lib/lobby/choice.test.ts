import { beforeEach, expect, it, vi } from 'vitest';
import { chosenRuleset, readChoice, recall, remember, withRuleset } from './choice';
import { CLOCKLESS, DEFAULT_TIME } from './time';
import { knownGame, USUAL } from '$lib/game/rulesets';

const fresh = {
  game: 'xiangqi',
  rulesets: USUAL,
  rated: false,
  seat: 'random',
  time: DEFAULT_TIME,
  computer: { level: 1, time: CLOCKLESS, practice: false }
};

beforeEach(() => localStorage.clear());

it('begins with the usual', () => {
  expect(readChoice(null)).toEqual(fresh);
  for (const nonsense of ['', '{', 'null', '7', '[]', '{"game":"go","rulesets":7,"computer":{"level":9}}']) {
    expect(readChoice(nonsense), nonsense).toEqual(fresh);
  }
});

it('comes back as it was left', () => {
  const choice = {
    ...withRuleset(readChoice(null), 'luzhanqi/northern'),
    rated: true,
    seat: 'second' as const,
    computer: { level: 5 as const, time: DEFAULT_TIME, practice: true }
  };
  remember(choice);
  expect(recall()).toEqual(choice);
  expect(chosenRuleset(recall())).toBe('luzhanqi/northern');
});

it('never takes a rule set for another game than its own', () => {
  const choice = readChoice('{"rulesets":{"xiangqi":"luzhanqi/modern","luzhanqi":"luzhanqi/modern","doushouqi":3}}');
  expect(choice.rulesets).toEqual({ ...USUAL, luzhanqi: 'luzhanqi/modern' });
  expect(withRuleset(choice, 'go/standard')).toBe(choice);
  expect(knownGame('toString')).toBeNull();
});

it('does without storage', () => {
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new Error('denied');
  });
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('denied');
  });
  expect(() => remember(readChoice(null))).not.toThrow();
  expect(recall()).toEqual(fresh);
});
