/** Times as people write them, in the language of the user. */
import { locale } from '$lib/i18n/index.svelte';

/** A day: "3 November 2026". */
export function dayText(ms: number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'long' }).format(ms);
}

/** A day, short: "3 Nov 2026". */
export function shortDayText(ms: number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' }).format(ms);
}

/** A day and the time of it: "3 Nov 2026, 14:05". */
export function momentText(ms: number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(ms);
}

/** The same to the second, for what follows closely on each other. */
export function secondText(ms: number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'medium' }).format(ms);
}

const UNITS = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000]
] as const;

/** How long ago, or how far ahead, in its largest unit: "3 hours ago", "in 2 days". */
export function agoText(ms: number, now: number): string {
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' });
  const difference = ms - now;
  for (const [unit, span] of UNITS) {
    if (Math.abs(difference) >= span) return format.format(Math.trunc(difference / span), unit);
  }
  return format.format(0, 'minute');
}

/** A number with its sign: "+12", "−3", "±0". */
export function signedText(value: number): string {
  if (value === 0) return '±0';
  return new Intl.NumberFormat(locale(), { signDisplay: 'always' }).format(value);
}
