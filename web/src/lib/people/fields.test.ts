import { describe, expect, it } from 'vitest';
import { daysFault, gameIdIn, nameFault, passwordFault, textFault } from './fields';

describe('a name', () => {
  it.each(['Anna', 'mei-lin', '王小明', 'Ж_ук9', 'zoë'])('may be %s', (name) => {
    expect(nameFault(name)).toBeNull();
  });

  it.each([
    ['', 'account.name_missing'],
    ['ab', 'account.name_length'],
    ['a'.repeat(21), 'account.name_length'],
    ['Ann a', 'account.name_letters'],
    ['<script>', 'account.name_letters'],
    ['_anna', 'account.name_dashes'],
    ['an--na', 'account.name_dashes']
  ])('may not be %j', (name, fault) => {
    expect(nameFault(name)).toBe(fault);
  });
});

describe('a password', () => {
  it('is counted in bytes, as the server does', () => {
    expect(passwordFault('1234567')).toBe('account.password_short');
    expect(passwordFault('密码密')).toBeNull();
    expect(passwordFault('a'.repeat(256))).toBeNull();
    expect(passwordFault('ü'.repeat(129))).toBe('account.password_long');
  });

  it('is not the name', () => {
    expect(passwordFault('Katharina', 'katharina')).toBe('account.password_is_name');
  });
});

it('wants a reason that is neither empty nor too long', () => {
  expect(textFault('  ', 200)).toBe('account.text_missing');
  expect(textFault('x'.repeat(200), 200)).toBeNull();
  expect(textFault('x'.repeat(201), 200)).toBe('account.text_long');
  expect(textFault('', 1000, 0)).toBeNull();
});

it('takes a whole number of days, or none', () => {
  expect([null, undefined, 1, 3650].map(daysFault)).toEqual([null, null, null, null]);
  expect([0, 1.5, 3651, -1].map(daysFault)).toEqual(Array(4).fill('account.days_range'));
});

it('finds a game in an address', () => {
  const id = '01a1ff2e-a799-7743-9636-de45632bd83f';
  expect(gameIdIn(` https://x.example/replay/${id.toUpperCase()}?ply=3 `)).toBe(id);
  expect(gameIdIn('01a1ff2e')).toBeNull();
});
