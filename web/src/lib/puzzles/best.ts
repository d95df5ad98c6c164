/** The fewest moves in which drills were won, as this browser keeps them. */
const KEY = 'qiguan.drills';
/** More are not kept. */
const MOST = 500;

/** The fewest moves by position. */
export type Best = Readonly<Record<string, number>>;

/** What was kept; what can't be read counts for nothing. */
export function readBest(text: string | null): Best {
  let kept: unknown;
  try {
    kept = JSON.parse(text ?? '{}');
  } catch {
    return {};
  }
  if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) return {};
  const whole = Object.entries(kept).filter(
    (pair): pair is [string, number] => typeof pair[1] === 'number' && Number.isInteger(pair[1]) && pair[1] > 0
  );
  return Object.fromEntries(whole.slice(0, MOST));
}

/** With one more win; the fewer moves count. */
export function withWin(best: Best, position: string, moves: number): Best {
  const before = best[position];
  return before !== undefined && before <= moves ? best : { ...best, [position]: moves };
}

/** What this browser has kept. */
export function recall(): Best {
  try {
    return readBest(localStorage.getItem(KEY));
  } catch {
    // A browser that forbids storage: they last as long as the page.
    return {};
  }
}

/** Has this browser keep them. */
export function keep(best: Best): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(best));
  } catch {
    // See `recall`.
  }
}
