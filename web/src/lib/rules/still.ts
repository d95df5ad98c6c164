/** A board to look at: everything of its configuration that a diagram does not say. */
import type { BoardConfig } from '$lib/board/config';

/** What a board that is only looked at has to say. */
export type Still = Pick<BoardConfig, 'game' | 'fen'> & Partial<BoardConfig>;

/** The configuration of a board without moves. */
export function stillBoard(still: Still): BoardConfig {
  return {
    orientation: 'first',
    movable: null,
    legal: [],
    banned: [],
    premoves: false,
    premove: null,
    pending: null,
    lastMove: null,
    check: null,
    notes: {},
    marks: [],
    mode: 'still',
    ...still
  };
}
