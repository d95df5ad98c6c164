/** What went wrong, in the words of the user. Pages with forms have the space `account` for the words about their fields. */
import { has, t } from '$lib/i18n/index.svelte';
import type { MessageKey } from '$lib/i18n/spaces';
import type { ErrorCode } from '$lib/protocol/protocol';
import { LinkLost, Refusal } from '$lib/protocol/refusal';

/** Texts for some codes that fit better in one place. */
export type OwnTexts = Partial<Record<ErrorCode, MessageKey>>;

/** Codes whose message from the server says more than the code: what exactly, or until when. It is in English. */
const TELLING: ReadonlySet<string> = new Set([
  'bad_value',
  'bad_option',
  'bad_setup',
  'banned',
  'muted',
  'maintenance',
  'paused',
  'limit_reached',
  'bad_request'
]);

/** The texts for a field whose content the server refuses. */
const REFUSED: Readonly<Record<string, MessageKey | undefined>> = {
  name: 'account.name_refused',
  password: 'account.password_refused',
  new: 'account.password_refused',
  text: 'account.text_refused',
  reason: 'account.text_refused'
};

function codeOf(fault: unknown): string | null {
  if (fault instanceof LinkLost) return 'link_lost';
  if (typeof fault === 'object' && fault !== null && 'code' in fault) return String(fault.code);
  return null;
}

/** The field at fault; null without one. */
export function fieldOf(fault: unknown): string | null {
  return fault instanceof Refusal ? (fault.field ?? null) : null;
}

/** A fault as one sentence: of a `Refusal`, a `LinkLost`, an `ApiError`, or whatever else was thrown. */
export function faultText(fault: unknown, own: OwnTexts = {}): string {
  const code = codeOf(fault);
  const refused = code === 'bad_value' ? REFUSED[fieldOf(fault) ?? ''] : undefined;
  const keys = [own[code as ErrorCode], refused, `common.error_${code ?? 'unknown'}`];
  return t(keys.find((key): key is MessageKey => key !== undefined && has(key)) ?? 'common.error_unknown');
}

/** What the server has said beside it, where that is of use: shown below the text, as the text of somebody else. */
export function faultDetail(fault: unknown): string | null {
  const message = fault instanceof Object && 'message' in fault ? String(fault.message) : '';
  return message !== '' && TELLING.has(codeOf(fault) ?? '') ? message : null;
}
