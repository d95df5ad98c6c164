/** Where this browser keeps what its user has chosen. */
const KEY = 'qiguan.settings';

/** What was kept, if anything was. */
export function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // A browser that forbids storage: the settings last as long as the page.
    return null;
  }
}

/** What was kept, as it stands there: only what the user chose, and nothing of it is checked. */
export function chosenIn(text: string | null): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text ?? '{}');
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
  } catch {
    // Somebody else's text under our key: the defaults do.
  }
  return {};
}

/** Keeps what was chosen. */
export function keep(chosen: Readonly<Record<string, unknown>>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(chosen));
  } catch {
    // See `stored`.
  }
}
