/** What jsdom lacks of a browser. */
// Tests of pure modules run without it, and sooner.
if (typeof window !== 'undefined') {
  Object.defineProperty(window, 'matchMedia', {
    value: (media: string) => Object.assign(new EventTarget(), { media, matches: false, onchange: null })
  });
}
