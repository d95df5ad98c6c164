/** Spans of time in words, as the reader's language writes them. */

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000]
] as const;

/** A span in the largest unit of which it is at least one, such as "90 seconds" as "1.5 minutes". */
export function duration(ms: number, locale: string, display: 'long' | 'short' | 'narrow' = 'long'): string {
  const [unit, size] = UNITS.find(([, size]) => ms >= size) ?? UNITS[3];
  const format = { style: 'unit', unit, unitDisplay: display, maximumFractionDigits: 2 } as const;
  return new Intl.NumberFormat(locale, format).format(ms / size);
}

/** How long somebody has waited: minutes and seconds. */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (n: number) => String(n).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
