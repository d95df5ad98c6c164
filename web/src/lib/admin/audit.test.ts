import { expect, it } from 'vitest';
import { auditAddress, auditQuery, readAudit, type AuditFilters } from './audit';

const [ANNA, BEN, GAME] = [1, 2, 3].map((end) => `0197d3a0-0000-7000-8000-00000000000${end}`) as [
  string,
  string,
  string
];
const all: AuditFilters = {
  operation: 'ban',
  by: ANNA,
  player: BEN,
  game: GAME,
  from: '2026-11-01',
  until: '2026-11-30',
  before: GAME
};

const read = (address: string) => readAudit(new URL(address, 'http://localhost').searchParams);

it('comes back from the address as it went', () => {
  expect(read(auditAddress(all))).toEqual(all);
  expect(auditAddress({})).toBe('/admin/audit');
  expect(read('/admin/audit')).toEqual(read('/admin/audit?operation=read_audit&by=me&from=2026-02-30&before=1'));
});

it('asks for both days whole, and not for what is not asked', () => {
  expect(auditQuery(all, 50)).toEqual({
    ...all,
    from: new Date(2026, 10, 1).getTime(),
    until: new Date(2026, 11, 1).getTime(),
    limit: 50
  });
  expect(auditQuery(read('/admin/audit?game=' + GAME), 50)).toEqual({ game: GAME, limit: 50 });
});
