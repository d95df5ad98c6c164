/** What is asked of the audit log, and the address that it stands in. */
import type { AuditQuery, Operation } from '$lib/protocol/protocol';
import { oneOf, readers, startOfDay } from '$lib/search/filters';

/** What leaves an entry, in the order in which it is offered. */
export const OPERATIONS = [
  'ban',
  'unban',
  'withdraw',
  'restore',
  'close_report',
  'adjudicate',
  'mute',
  'unmute',
  'limit',
  'unlimit',
  'rename',
  'see_game',
  'read_chat',
  'delete_analysis',
  'start_maintenance',
  'end_maintenance',
  'put_up_notice',
  'take_down_notice',
  'change_role',
  'create_admin',
  'import_role',
  'import_token',
  'set_password'
] as const satisfies readonly Operation[];

/** What is asked for; null for anything. */
export interface AuditFilters {
  operation: Operation | null;
  /** The id of who has done it. */
  by: string | null;
  /** The id of whom it was done to. */
  player: string | null;
  game: string | null;
  /** Days of the reader's calendar, both included. */
  from: string | null;
  until: string | null;
  /** Only entries older than this one. */
  before: string | null;
}

const NAMES = ['operation', 'by', 'player', 'game', 'from', 'until', 'before'] as const;

/** Filters from an address; what makes no sense in it asks for nothing. */
export function readAudit(query: URLSearchParams): AuditFilters {
  const { id, day } = readers(query);
  return {
    operation: oneOf(OPERATIONS, query.get('operation')),
    by: id('by'),
    player: id('player'),
    game: id('game'),
    from: day('from'),
    until: day('until'),
    before: id('before')
  };
}

/** The address of a part of the log. */
export function auditAddress(filters: Partial<AuditFilters>): string {
  const query = new URLSearchParams();
  for (const name of NAMES) {
    const value = filters[name];
    if (value) query.set(name, value);
  }
  const text = query.toString();
  return text === '' ? '/admin/audit' : `/admin/audit?${text}`;
}

/** What the server is asked. */
export function auditQuery(filters: AuditFilters, limit: number): AuditQuery {
  const asked = { ...filters, from: startOfDay(filters.from), until: startOfDay(filters.until, 1) };
  return { ...Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== null)), limit };
}
