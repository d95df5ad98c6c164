/** Who keeps order here. */
import type { Role } from '$lib/protocol/protocol';

/** Whether somebody is a moderator or an admin; what exactly he may do, the server decides with each request. */
export function keepsOrder(me: { role: Role } | null): boolean {
  return me?.role === 'moderator' || me?.role === 'admin';
}
