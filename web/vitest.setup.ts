/** What jsdom lacks of a browser. */
Object.defineProperty(window, 'matchMedia', {
  value: (media: string) => Object.assign(new EventTarget(), { media, matches: false, onchange: null })
});
