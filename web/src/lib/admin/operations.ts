/** What staff does, in the words of the reader. The texts stand in the space `admin`. */
import { has, t } from '$lib/i18n/index.svelte';
import type { Operation } from '$lib/protocol/protocol';

/** An operation in a few words; its own name for one that this client does not know yet. */
export function operationText(operation: Operation): string {
  const key = `admin.act_${operation}`;
  return has(key) ? t(key) : operation;
}
