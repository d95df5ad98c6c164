import { expect, it } from 'vitest';
import { isLocale, preferred } from '$lib/locales';

it('takes the first language of the browser that it speaks', () => {
  expect(preferred(['fr-FR', 'de-AT', 'en'])).toBe('de');
  expect(preferred(['zh-CN'])).toBe('zh-Hans');
  expect(preferred(['vi-VN', 'en'])).toBe('vi');
  expect(preferred(['fr'])).toBe('en');
  expect(preferred([])).toBe('en');
});

it.each([
  ['zh', 'zh-Hans'],
  ['zh-SG', 'zh-Hans'],
  ['zh-Hans-HK', 'zh-Hans'],
  ['zh-TW', 'zh-Hant'],
  ['zh-HK', 'zh-Hant'],
  ['zh-MO', 'zh-Hant'],
  ['zh-Hant', 'zh-Hant'],
  ['zh-Hant-CN', 'zh-Hant']
])('takes %s for %s', (language, locale) => {
  expect(preferred([language, 'en'])).toBe(locale);
});

it('knows the tags of its languages and nothing else', () => {
  expect(isLocale('zh-Hans')).toBe(true);
  expect(isLocale('toString')).toBe(false);
  expect(isLocale(7)).toBe(false);
});
