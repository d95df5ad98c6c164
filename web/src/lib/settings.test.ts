import { afterAll, describe, expect, it } from 'vitest';
import { choose, read, settings } from './settings.svelte';

const FIRST = { doushouqi: 'jungle', luzhanqi: 'field', xiangqi: 'walnut' };

describe('the settings that were kept', () => {
  it('come back', () => {
    const boards = { doushouqi: 'felt', luzhanqi: 'camp', xiangqi: 'bamboo' };
    const kept = JSON.stringify({ locale: 'de', boards, sound: false, pieces: { xiangqi: 'jade' } });
    const settings = read(kept, ['en']);
    expect(settings).toMatchObject({ locale: 'de', boards, sound: false, pieces: { xiangqi: 'jade' } });
  });

  it.each([
    null,
    '',
    'rubbish',
    '[]',
    'null',
    '7',
    '{"locale":"xx","board":7,"boards":{"xiangqi":"map"},"sound":"no","theme":{},"pieces":{"xiangqi":"heads"},"volume":101}'
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

  it('show simplified characters to people who read them and pictures to others, unless chosen otherwise', () => {
    expect(read(null, ['zh-CN']).pieces).toMatchObject({ xiangqi: 'simplified', luzhanqi: 'simplified' });
    expect(read(null, ['de']).pieces).toMatchObject({ xiangqi: 'hybrid', luzhanqi: 'insignia' });
    const kept = '{"pieces":{"xiangqi":"carved"}}';
    expect(read(kept, ['zh-CN']).pieces).toMatchObject({ xiangqi: 'carved', luzhanqi: 'simplified' });
  });

  it.each([
    ['traditional', 'carved'],
    ['simplified', 'simplified'],
    ['pictures', 'hybrid']
  ])('keep their meaning where one word stood for all games: %s', (word, set) => {
    expect(read(JSON.stringify({ pieces: word }), ['en']).pieces.xiangqi).toBe(set);
  });

  it.each([
    ['de', 'hybrid', 'squares'],
    ['zh-CN', 'simplified', 'chinese'],
    ['zh-TW', 'carved', 'chinese'],
    ['vi', 'carved', 'wxf']
  ])('for %s are Xiangqi’s pieces %s and its moves %s', (language, xiangqi, notation) => {
    expect(read(null, [language])).toMatchObject({ pieces: { xiangqi }, notation });
  });
});

describe('a chosen language', () => {
  // All test files share the settings.
  afterAll(() => choose({ locale: 'en', pieces: { doushouqi: 'heads', xiangqi: 'hybrid' }, sound: true }));

  it('carries pieces and notation, until they are chosen too', () => {
    choose({ sound: false });
    choose({ locale: 'zh-Hans' });
    expect(settings).toMatchObject({ pieces: { xiangqi: 'simplified' }, notation: 'chinese', sound: false });
    choose({ locale: 'de' });
    expect(settings).toMatchObject({ pieces: { xiangqi: 'hybrid' }, notation: 'squares' });

    choose({ pieces: { xiangqi: 'jade' } });
    choose({ pieces: { doushouqi: 'carved' } });
    choose({ locale: 'zh-Hans' });
    expect(settings).toMatchObject({
      pieces: { doushouqi: 'carved', luzhanqi: 'simplified', xiangqi: 'jade' },
      notation: 'chinese'
    });
    const kept = localStorage.getItem('qiguan.settings');
    expect(JSON.parse(kept ?? '')).not.toHaveProperty('notation');
    expect(read(kept, ['en'])).toEqual({ ...settings });
  });
});
