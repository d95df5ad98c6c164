/** What went wrong, in the words of the user. The texts stand in the space `common`. */
import { has, t } from '$lib/i18n/index.svelte';
import { LinkLost, Refusal } from '$lib/protocol/refusal';
import type { ApiError } from '$lib/protocol/protocol';

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

function codeOf(fault: unknown): string | null {
  if (fault instanceof Refusal) return fault.code;
  if (fault instanceof LinkLost) return 'link_lost';
  if (typeof fault === 'object' && fault !== null && 'code' in fault) return String(fault.code);
  return null;
}

/** A fault as one sentence: of a `Refusal`, a `LinkLost`, an `ApiError`, or whatever else was thrown. */
export function faultText(fault: unknown): string {
  const key = `common.error_${codeOf(fault) ?? 'unknown'}`;
  return t(has(key) ? key : 'common.error_unknown');
}

/** What the server has said beside it, where that is of use: shown below the text, as the text of somebody else. */
export function faultDetail(fault: Refusal | ApiError | LinkLost | null): string | null {
  if (!fault || !('code' in fault)) return null;
  return TELLING.has(fault.code) ? fault.message : null;
}
