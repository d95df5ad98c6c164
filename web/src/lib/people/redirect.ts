/** Where to go after signing in. Only addresses of this client are taken, so that no link leads a visitor elsewhere. */

/** The address that `text` names if it is one of this client, else the lobby. */
export function safeRedirect(text: string | null): string {
  if (!text?.startsWith('/')) return '/';
  let url: URL;
  try {
    // Browsers read `\` as `/` and skip tabs and line ends: what they make of it is what counts.
    url = new URL(text, 'https://here.invalid');
  } catch {
    return '/';
  }
  if (url.origin !== 'https://here.invalid') return '/';
  // Back to where one signs in would be a circle.
  if (url.pathname === '/sign-in' || url.pathname === '/sign-up') return '/';
  const path = url.pathname + url.search + url.hash;
  return path.startsWith('//') ? '/' : path;
}

/** The address of a page to sign in, which leads back to `from` afterwards. */
export function signInHref(page: '/sign-in' | '/sign-up', from: string): string {
  return from === '/' ? page : `${page}?redirect=${encodeURIComponent(from)}`;
}
