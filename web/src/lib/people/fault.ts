/** What to tell a user of something that went wrong. */
import { has, t } from '$lib/i18n/index.svelte';
import type { MessageKey } from '$lib/i18n/spaces';
import type { ErrorCode } from '$lib/protocol/protocol';
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

/** The words for a field that the server does not like the content of; what exactly it minds, the detail tells. */
const REFUSED: Readonly<Record<string, MessageKey | undefined>> = {
  name: 'account.name_refused',
  password: 'account.password_refused',
  new: 'account.password_refused',
  text: 'account.text_refused',
  reason: 'account.text_refused'
};

/** The words for anything that a request can reject with. `own` has those that fit better at one place. */
export function faultOf(error: unknown, own: Partial<Record<ErrorCode, MessageKey>> = {}): Fault {
  if (error instanceof Refusal) {
    const field = error.field ?? null;
    const refused = error.code === 'bad_value' && field !== null ? REFUSED[field] : undefined;
    const key = own[error.code] ?? refused ?? `common.error_${error.code}`;
    return { text: has(key) ? t(key) : error.code, detail: error.message, field };
  }
  return { text: t('account.no_answer'), detail: '', field: null };
}
