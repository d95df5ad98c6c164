/** Notices to everybody, as values. */
import type { Notice } from '$lib/protocol/protocol';

/** Whether a browser that has kept this text has hidden this notice; a later one is shown again. */
export function isDismissed(notice: Notice, kept: string | null): boolean {
  return kept !== null && kept === String(notice.since);
}
