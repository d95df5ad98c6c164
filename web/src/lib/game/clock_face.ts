/** Times as the table shows them. */
import { text, type Left } from './clock';
import { locale } from '$lib/i18n/index.svelte';
import type { TimeControl } from '$lib/protocol/protocol';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;

/** Time in words of two units, for spans that no clock on a table shows: `2 d 5 h`. */
function long(ms: number, style: 'narrow' | 'long' = 'narrow'): string {
  const unit = (value: number, name: string) =>
    new Intl.NumberFormat(locale(), { style: 'unit', unit: name, unitDisplay: style }).format(value);
  const parts: [number, string][] = [
    [Math.floor(ms / DAY), 'day'],
    [Math.floor((ms % DAY) / HOUR), 'hour'],
    [Math.floor((ms % HOUR) / MINUTE), 'minute'],
    [Math.floor((ms % MINUTE) / 1000), 'second']
  ];
  const from = parts.findIndex(([value]) => value > 0);
  if (from < 0) return unit(0, 'second');
  const told = parts.slice(from, from + 2).filter(([value]) => value > 0);
  return told.map(([value, name]) => unit(value, name)).join(' ');
}

/** How little is left before it shows: a tenth of the budget, between 10 and 30 seconds; of a period a third. */
function lowBelow({ clock }: TimeControl): number {
  switch (clock.type) {
    case 'fischer':
      return Math.min(30_000, Math.max(10_000, clock.initial_ms / 10));
    case 'byoyomi':
      return Math.min(10_000, clock.period_ms / 3);
    case 'per_move':
      return Math.min(HOUR, clock.move_ms / 10);
    case 'none':
      return 0;
  }
}

/** What a clock shows: `5:09`, `0:09.4`; of days and more, words. */
export function face({ ms }: Left): string {
  return ms >= DAY ? long(ms) : text(ms);
}

/** Whether so little is left that it should be seen. The main time of byo-yomi is followed by periods, and never little. */
export function isLow({ ms, periods }: Left, control: TimeControl): boolean {
  if (control.clock.type === 'byoyomi' && periods === control.clock.periods && ms > control.clock.period_ms)
    return false;
  return ms < lowBelow(control);
}

/** A span in words for screen readers: `4 minutes 20 seconds`. */
export function spoken(ms: number): string {
  return long(Math.ceil(ms / 1000) * 1000, 'long');
}

/** A span of waiting: `0:45`, `2 d 3 h`. */
export function span(ms: number): string {
  const seconds = Math.ceil(ms / 1000) * 1000;
  return seconds >= DAY ? long(seconds) : text(Math.max(seconds, 0)).replace(/\.\d$/, '');
}

/** How long a move took: `0.4`, `12`, `1:05`; days and hours in words. */
export function took(ms: number): string {
  if (ms >= DAY) return long(ms);
  if (ms < 9950) return `${(ms / 1000).toFixed(1)}s`;
  if (ms < MINUTE - 500) return `${Math.round(ms / 1000)}s`;
  return text(Math.round(ms / 1000) * 1000);
}
