/** Who may moderate. */
import type { Role } from '$lib/protocol/protocol';

/** Whether somebody is a moderator or an admin; the server checks permissions with each request. */
export function isModerator(me: { role: Role } | null): boolean {
  return me?.role === 'moderator' || me?.role === 'admin';
}
