/** Whether this tab looks for an opponent, for pages that know nothing else of the lobby. */

/** Where `wanted.ts` keeps what is looked for, through reloads. */
export const KEPT = 'qiguan.searches';

function isKept(): boolean {
  try {
    return sessionStorage.getItem(KEPT) !== null;
  } catch {
    // A browser that forbids storage.
    return false;
  }
}

class Looking {
  /** From the first search on, also one that was kept; it stays when the search ends, which may have to be told. */
  begun = $state(isKept());
}

export const looking = new Looking();
