/** All lessons. */
import type { GameKind } from '$lib/board/config';
import { DOUSHOUQI } from './doushouqi';
import type { Lesson } from './lesson';
import { LUZHANQI } from './luzhanqi';
import { XIANGQI } from './xiangqi';

/** The lessons of each game; the first is the one to begin with, the others are about what sets their rule sets apart. */
const BY_GAME: Readonly<Record<GameKind, readonly Lesson[]>> = {
  doushouqi: DOUSHOUQI,
  luzhanqi: LUZHANQI,
  xiangqi: XIANGQI
};

/** The games, the easiest first. */
export const LEARNED_FIRST: readonly GameKind[] = ['doushouqi', 'xiangqi', 'luzhanqi'];

export const LESSONS: readonly Lesson[] = LEARNED_FIRST.flatMap((game) => BY_GAME[game]);

/** Whether this is the name of a game. */
export function isGame(name: string): name is GameKind {
  return name in BY_GAME;
}

/** The lessons of a game. */
export function lessonsIn(game: GameKind): readonly Lesson[] {
  return BY_GAME[game];
}

/** The lesson about a rule set. */
export function lessonOf(ruleset: string): Lesson | undefined {
  return LESSONS.find((lesson) => lesson.ruleset === ruleset);
}
