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
