/** Lines of a chat. */
import { locale } from '$lib/i18n/index.svelte';

/** When something was said: "14:05". */
export function clockText(at: number): string {
  return new Intl.DateTimeFormat(locale(), { hour: 'numeric', minute: '2-digit' }).format(at);
}

/** Lines in their order, each once: those that were fetched, and those that are known already. */
export function withOlder<T extends { number: number }>(older: readonly T[], known: readonly T[]): T[] {
  const lines = new Map([...older, ...known].map((line) => [line.number, line]));
  return [...lines.values()].toSorted((one, other) => one.number - other.number);
}

/** Whether known lines follow those that were fetched without a gap: they have at least one in common. After a long time away they have none. */
export function continues<T extends { number: number }>(older: readonly T[], known: readonly T[]): boolean {
  const last = older.at(-1)?.number;
  const first = known[0]?.number;
  return last !== undefined && first !== undefined && last >= first;
}
