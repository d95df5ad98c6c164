import { expect, it } from 'vitest';
import { safeRedirect, signInHref } from './redirect';

it('takes addresses of this client', () => {
  expect(safeRedirect('/game/01a1?x=1#chat')).toBe('/game/01a1?x=1#chat');
  expect(safeRedirect('/player?name=%3Cscript%3E')).toBe('/player?name=%3Cscript%3E');
});

it.each([
  null,
  '',
  'game',
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '/\t/evil.example/',
  '/..//evil.example/',
  'javascript:alert(1)',
  '/sign-in?redirect=/settings',
  '/sign-up'
])('leads to the lobby instead of %j', (text) => {
  expect(safeRedirect(text)).toBe('/');
});

it('remembers where somebody came from', () => {
  expect(signInHref('/sign-in', '/')).toBe('/sign-in');
  expect(safeRedirect(new URL(signInHref('/sign-up', '/game/7?a=b&c'), 'http://x').searchParams.get('redirect'))).toBe(
    '/game/7?a=b&c'
  );
});
