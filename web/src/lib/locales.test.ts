import { expect, it } from 'vitest';
import { isLocale, preferred } from '$lib/locales';

it('takes the first language of the browser that it speaks', () => {
  expect(preferred(['fr-FR', 'de-AT', 'en'])).toBe('de');
  expect(preferred(['zh-CN'])).toBe('zh-Hans');
  expect(preferred(['zh-TW', 'en'])).toBe('zh-Hans');
  expect(preferred(['fr'])).toBe('en');
  expect(preferred([])).toBe('en');
});

it('knows the tags of its languages and nothing else', () => {
  expect(isLocale('zh-Hans')).toBe(true);
  expect(isLocale('toString')).toBe(false);
  expect(isLocale(7)).toBe(false);
});
