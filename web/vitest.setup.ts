/** What jsdom lacks of a browser. Tests that run without jsdom lack the rest as well. */
if (typeof window !== 'undefined') {
  Object.defineProperty(window, 'matchMedia', {
    value: (media: string) => Object.assign(new EventTarget(), { media, matches: false, onchange: null })
  });
}
