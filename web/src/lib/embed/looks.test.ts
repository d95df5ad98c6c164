import { expect, it } from 'vitest';
import { frameText, lookFor } from './looks';

it('takes what it knows from an address and leaves the rest as usual', () => {
  const look = lookFor(new URLSearchParams('lang=de&theme=dark&board=slate&pieces=jade&view=second&game=luzhanqi'));
  expect(look.game).toBe('luzhanqi');
  expect(look.turned).toBe(true);
  expect(look.settings).toMatchObject({
    locale: 'de',
    theme: 'dark',
    boards: { xiangqi: 'slate' },
    pieces: { xiangqi: 'jade' }
  });
  const none = lookFor(new URLSearchParams('lang=tlh&theme=pink&game=chess&view=first'));
  expect(none).toEqual({ settings: { sound: false }, game: 'xiangqi', turned: false });
});

it('writes a frame whose title is text', () => {
  expect(frameText('https://qiguan.example.org', 'tv', 'A "<b>" & B')).toBe(
    '<iframe src="https://qiguan.example.org/embed/tv" title="A &#34;&#60;b&#62;&#34; &#38; B" width="400" height="560" loading="lazy" style="border:0"></iframe>'
  );
});
