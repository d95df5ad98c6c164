/** The longest wait between two attempts to reach the server. */
export const LONGEST_WAIT_MS = 15_000;

const FIRST_WAIT_MS = 400;

/**
 * How long to wait before the next attempt: twice as long each time, and drawn by chance from the upper half, so that not all who
 * lost the server in the same moment come back in the same moment.
 *
 * `failures` counts the attempts that have failed in a row, from 0; `chance` is a number from 0 to 1.
 */
export function backoff(failures: number, chance: number): number {
  const full = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures, 16));
  return full * (0.5 + chance / 2);
}

/** The span in the reason of a close with 1012, such as `restarting retry_in_ms=1500`; null without one. */
export function retryIn(reason: string): number | null {
  const found = /retry_in_ms=(\d{1,7})$/.exec(reason);
  return found ? Number(found[1]) : null;
}
