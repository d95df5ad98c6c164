/** What to tell a user of something that went wrong. */
import { has, t } from '$lib/i18n/index.svelte';
import { Refusal } from '$lib/protocol/refusal';

/** A fault in words. */
export interface Fault {
  /** In the language of the user. */
  text: string;
  /** What the server says besides; it is English, and may contain what others have written. */
  detail: string;
  /** The field at fault, if it is one. */
  field: string | null;
}

/** The words for anything that a request can reject with. */
export function faultOf(error: unknown): Fault {
  if (error instanceof Refusal) {
    const key = `common.error_${error.code}`;
    return { text: has(key) ? t(key) : error.code, detail: error.message, field: error.field ?? null };
  }
  return { text: t('account.no_answer'), detail: '', field: null };
}
