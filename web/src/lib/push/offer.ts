/** When a player is asked whether to be told of turns: where it can be had, was not asked for yet, and was not declined. */
import type { GameView } from '$lib/protocol/protocol';
import { hindrance, isOn } from './device';

const KEY = 'qiguan.push_offer';
/** A move that may take so long is not waited for at the board; as the server has it. */
const LONG_MS = 3_600_000;

/** Whether nobody has to sit at the board: a move may take an hour or longer, or there is no clock. */
export function isCorrespondence({ time_control: { clock } }: Pick<GameView, 'time_control'>): boolean {
  return clock.type === 'none' || (clock.type === 'per_move' && clock.move_ms >= LONG_MS);
}

/** Whether this device may be offered it. */
export function isOffered(): boolean {
  if (hindrance() !== null || isOn()) return false;
  try {
    return localStorage.getItem(KEY) === null;
  } catch {
    // What can't be declined for good is not offered again and again.
    return false;
  }
}

/** The player does not want it; the settings still have it. */
export function decline(): void {
  try {
    localStorage.setItem(KEY, 'no');
  } catch {
    // See `isOffered`.
  }
}
