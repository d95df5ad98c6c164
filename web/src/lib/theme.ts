/** The colours of the pages, and of what the browser draws around them. */

/** Shows the pages in these colours; `system` leaves it to the browser. */
export function paint(theme: string): void {
  document.documentElement.dataset['theme'] = theme;
  for (const own of ['light', 'dark']) {
    const around = document.querySelector(`meta[name="theme-color"][media*="${own}"], meta[data-theme="${own}"]`);
    if (!(around instanceof HTMLMetaElement)) continue;
    around.dataset['theme'] = own;
    around.media =
      theme === 'light' || theme === 'dark' ? (theme === own ? 'all' : 'not all') : `(prefers-color-scheme: ${own})`;
  }
}
