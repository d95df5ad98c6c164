/** For how long an account is closed. */

/** The spans that are offered. */
export const SPANS = ['day', 'week', 'month', 'year', 'good'] as const;

/** One of them. */
export type Span = (typeof SPANS)[number];

const DAYS: Record<Span, number | null> = { day: 1, week: 7, month: 30, year: 365, good: null };

/** When a ban of this length ends that begins `now`; undefined for one that does not end. */
export function banEnd(span: Span, now: number): number | undefined {
  const days = DAYS[span];
  return days === null ? undefined : Math.round(now) + days * 86_400_000;
}
