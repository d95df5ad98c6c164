/** For how long an account is closed or muted, and a notice is shown, in minutes; null for good. */
import { LIMITS } from '$lib/protocol/protocol';

/** The spans of sanctions: a day, a week, 30 days, a year, or for good. */
export const SANCTION_MINUTES = [1_440, 10_080, 43_200, 525_600, null] as const;

/** The spans of notices. */
export const NOTICE_MINUTES = [30, 60, 240, 1_440, LIMITS.NOTICE_MINUTES] as const;

/** One of them. */
export type Minutes = (typeof SANCTION_MINUTES | typeof NOTICE_MINUTES)[number];

/** When a span ends that begins `now`; undefined for one that does not end. */
export function endOf(minutes: Minutes, now: number): number | undefined {
  return minutes === null ? undefined : Math.round(now) + minutes * 60_000;
}
