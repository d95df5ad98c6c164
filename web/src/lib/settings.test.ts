import { afterAll, describe, expect, it } from 'vitest';
import { choose, read, settings } from './settings.svelte';

const FIRST = { doushouqi: 'jungle', luzhanqi: 'field', xiangqi: 'walnut' };

describe('the settings that were kept', () => {
  it('come back', () => {
    const boards = { doushouqi: 'felt', luzhanqi: 'camp', xiangqi: 'bamboo' };
    const kept = JSON.stringify({ locale: 'de', boards, sound: false, pieces: 'pictures' });
    const settings = read(kept, ['en']);
    expect(settings).toMatchObject({ locale: 'de', boards, sound: false, pieces: 'pictures' });
  });

  it.each([
    null,
    '',
    'rubbish',
    '[]',
    'null',
    '7',
    '{"locale":"xx","board":7,"boards":{"xiangqi":"map"},"sound":"no","theme":{}}'
  ])('are the defaults where %s was kept', (text) => {
    expect(read(text, ['de'])).toEqual(read('{}', ['de']));
    expect(read(text, ['de'])).toMatchObject({ locale: 'de', boards: FIRST, sound: true, theme: 'system' });
  });

  it('take a board that was chosen for all games as one for each', () => {
    expect(read('{"board":"wood"}', ['en']).boards).toEqual(FIRST);
    expect(read('{"board":"dark"}', ['en']).boards).toEqual({ doushouqi: 'night', luzhanqi: 'dark', xiangqi: 'slate' });
    const both = '{"board":"paper","boards":{"xiangqi":"rosewood"}}';
    expect(read(both, ['en']).boards).toEqual({ doushouqi: 'map', luzhanqi: 'paper', xiangqi: 'rosewood' });
  });

  it('show simplified characters to who reads them, unless chosen otherwise', () => {
    expect(read(null, ['zh-CN']).pieces).toBe('simplified');
    expect(read('{"pieces":"traditional"}', ['zh-CN']).pieces).toBe('traditional');
    expect(read(null, ['de']).pieces).toBe('traditional');
  });

  it.each([
    ['de', 'traditional', 'squares'],
    ['zh-CN', 'simplified', 'chinese'],
    ['zh-TW', 'traditional', 'chinese'],
    ['vi', 'traditional', 'wxf']
  ])('for %s are pieces in %s characters and moves as %s', (language, pieces, notation) => {
    expect(read(null, [language])).toMatchObject({ pieces, notation });
  });
});

describe('a chosen language', () => {
  // All test files share the settings.
  afterAll(() => choose({ locale: 'en', pieces: 'traditional', sound: true }));

  it('carries pieces and notation, until they are chosen too', () => {
    choose({ sound: false });
    choose({ locale: 'zh-Hans' });
    expect(settings).toMatchObject({ pieces: 'simplified', notation: 'chinese', sound: false });
    choose({ locale: 'de' });
    expect(settings).toMatchObject({ pieces: 'traditional', notation: 'squares' });

    choose({ pieces: 'pictures' });
    choose({ locale: 'zh-Hans' });
    expect(settings).toMatchObject({ pieces: 'pictures', notation: 'chinese' });
    const kept = localStorage.getItem('qiguan.settings');
    expect(JSON.parse(kept ?? '')).not.toHaveProperty('notation');
    expect(read(kept, ['en'])).toEqual({ ...settings });
  });
});
