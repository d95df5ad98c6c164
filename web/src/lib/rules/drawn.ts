/** Marks of diagrams as the board draws them. */
import type { BoardMark } from '$lib/board/config';
import type { Marked } from './marks';

/** What the board draws for these moves. */
export function boardMarks(marks: readonly Marked[]): BoardMark[] {
  void marks;
  return [];
}
