/**
 * Whether the referee of a game of Luzhanqi told the truth (docs/fair-referee.md): both setups are those that were committed
 * to before the first move, and every attack came out as they say.
 */
import type { BySeat, PlayedMove, Removed, SetupView } from '$lib/protocol/protocol';
import { ends, luzhanqiStart, placement } from '$lib/game/plies';

/**
 * What was found: all is well; a setup is not what was committed to; a move or attack does not follow from the setups; an attack
 * was taken back, which had told both players what they did not know.
 */
export type Verdict =
  { kind: 'fair' } | { kind: 'setup'; seat: 'first' | 'second' } | { kind: 'move'; ply: number } | { kind: 'takeback' };

/** The soldiers, the highest rank first. */
const SOLDIERS = 'MGDBKJCLE';

/** SHA-256 of a salt in hexadecimal digits followed by a setup, in hexadecimal digits. */
export async function commitment(salt: string, setup: string): Promise<string> {
  const bytes = [...salt.matchAll(/../g)].map(([digits]) => Number.parseInt(digits, 16));
  const message = new Uint8Array([...bytes, ...new TextEncoder().encode(setup)]);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', message));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Who is removed when two pieces meet. */
export function judge(attacker: string, defender: string, minesSurvive: boolean): Removed {
  if (defender === 'F' || (attacker === 'E' && defender === 'X')) return 'defender';
  if (attacker === 'N' || defender === 'N') return 'both';
  if (defender === 'X') return minesSurvive ? 'attacker' : 'both';
  const [one, other] = [SOLDIERS.indexOf(attacker), SOLDIERS.indexOf(defender)];
  if (one === other) return 'both';
  return one < other ? 'defender' : 'attacker';
}

/** The first move that does not follow from the setups: a piece that never moves, or an attack that had to end otherwise. */
export function doesNotFollow(setup: SetupView, moves: readonly PlayedMove[], minesSurvive: boolean): number | null {
  const stands = placement(luzhanqiStart(setup, null));
  for (const played of moves) {
    const [from, to] = ends(played.move);
    const mover = stands.get(from);
    const target = stands.get(to);
    const piece = mover?.toUpperCase() ?? '';
    if (mover === undefined || piece === 'X' || piece === 'F') return played.ply;
    const removed = target === undefined ? undefined : judge(piece, target.toUpperCase(), minesSurvive);
    if (removed !== played.removed) return played.ply;
    if (
      played.met &&
      (played.met.attacker.toUpperCase() !== piece || played.met.defender.toUpperCase() !== target?.toUpperCase())
    )
      return played.ply;
    stands.delete(from);
    if (removed === 'both') stands.delete(to);
    else if (removed !== 'attacker') stands.set(to, mover);
  }
  return null;
}

/**
 * Judges a game that has been revealed by the commitments from when play began; null as long as nothing is. `moves` has
 * no moves that were taken back; whether an attack was among those is known from the events.
 */
export async function verdict(
  setup: SetupView,
  told: BySeat<string>,
  moves: readonly PlayedMove[],
  minesSurvive: boolean,
  attackTakenBack = false
): Promise<Verdict | null> {
  if (!setup.revealed) return null;
  for (const seat of ['first', 'second'] as const) {
    const shown = setup.revealed[seat];
    if ((await commitment(shown.salt, shown.setup)) !== told[seat]) return { kind: 'setup', seat };
  }
  const ply = doesNotFollow(setup, moves, minesSurvive);
  if (ply !== null) return { kind: 'move', ply };
  return attackTakenBack ? { kind: 'takeback' } : { kind: 'fair' };
}
