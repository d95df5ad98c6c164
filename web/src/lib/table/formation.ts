/**
 * Setups of Luzhanqi: six ranks of the board from the top down, such as `DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX`. Exchanging,
 * mirroring, and what is wrong with one before the server says so.
 */
import { ARMY } from '$lib/game/army';
import type { Seat } from '$lib/protocol/protocol';
import { boardText, placement } from '$lib/game/plies';

/** What is wrong with a setup, and where. */
export interface Fault {
  rule: 'form' | 'camp' | 'empty' | 'flag' | 'landmine' | 'grenade' | 'count';
  square: string | null;
}

/** A setup of one side by the squares of the whole board. */
function squares(seat: Seat, setup: string): Map<string, string> {
  const above = seat === 'first' ? 0 : 6;
  const shifted = [...placement(setup)].map(
    ([square, letter]) => [`${square.slice(0, 1)}${Number(square.slice(1)) + above}`, letter] as const
  );
  return new Map(shifted);
}

/** The text of a setup from the squares of the whole board. */
function text(seat: Seat, stands: ReadonlyMap<string, string>): string {
  const above = seat === 'first' ? 0 : 6;
  const shifted = [...stands].map(
    ([square, letter]) => [`${square.slice(0, 1)}${Number(square.slice(1)) - above}`, letter] as const
  );
  return boardText(new Map(shifted), 5, 6);
}

/** A setup with two of its pieces exchanged; null if there are not two. */
export function exchanged(seat: Seat, setup: string, one: string, other: string): string | null {
  const stands = squares(seat, setup);
  const [a, b] = [stands.get(one), stands.get(other)];
  if (a === undefined || b === undefined || one === other) return null;
  stands.set(one, b).set(other, a);
  return text(seat, stands);
}

/** A setup as a mirror shows it: left and right change places. */
export function mirrored(setup: string): string {
  return setup
    .split('/')
    .map((rank) => [...rank].toReversed().join(''))
    .join('/');
}

/** A setup for the other seat: turned by 180 degrees, in the other case. Saved ones are as the first seat writes them. */
export function turned(setup: string): string {
  const flip = (letter: string) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase());
  return [...setup].toReversed().map(flip).join('');
}

/** A setup as the first seat writes it, for this seat; and the other way round. */
export function seen(seat: Seat, setup: string): string {
  return seat === 'first' ? setup : turned(setup);
}

/** Everything that is wrong with a setup. */
export function faults(seat: Seat, setup: string): Fault[] {
  if (setup.split('/').length !== 6) return [{ rule: 'form', square: null }];
  const wrong: Fault[] = [];
  const found: Record<string, number> = {};
  // Judged as the first seat's, and reported with the squares of its owner.
  const stands = squares('first', seen(seat, setup));
  const told = (file: number, rank: number) =>
    seat === 'first' ? `${'abcde'[file] ?? '?'}${rank}` : `${'edcba'[file] ?? '?'}${13 - rank}`;
  for (let rank = 1; rank <= 6; rank++) {
    for (let file = 0; file < 5; file++) {
      const letter = stands.get(`${'abcde'[file] ?? '?'}${rank}`);
      const square = told(file, rank);
      const inCamp = ((file === 1 || file === 3) && (rank === 3 || rank === 5)) || (file === 2 && rank === 4);
      if (inCamp !== (letter === undefined)) wrong.push({ rule: inCamp ? 'camp' : 'empty', square });
      if (letter === undefined) continue;
      found[letter] = (found[letter] ?? 0) + 1;
      const headquarters = rank === 1 && (file === 1 || file === 3);
      if (letter === 'F' && !headquarters) wrong.push({ rule: 'flag', square });
      if (letter === 'X' && rank > 2) wrong.push({ rule: 'landmine', square });
      if (letter === 'N' && rank === 6) wrong.push({ rule: 'grenade', square });
    }
  }
  const counts = new Set([...Object.keys(ARMY), ...Object.keys(found)]);
  if ([...counts].some((letter) => (ARMY[letter] ?? 0) !== (found[letter] ?? 0)))
    wrong.push({ rule: 'count', square: null });
  return wrong;
}

/** Setups to begin with, as the first seat writes them. */
export const PRESETS = {
  /** Strong pieces in front, to open the railways. */
  assault: 'DGKMD/B1E1B/KJ1JC/C1N1L/EXCNE/LXLFX',
  /** Strong pieces behind, mines around the Flag. */
  fortress: 'KJCJK/D1B1B/LC1CL/G1M1E/LNNXD/EEXFX',
  /** Even on both wings. */
  balance: 'KBJBK/D1E1D/LC1CL/G1J1M/ENXNE/LCXFX'
} as const;
