/** Puzzles as anybody can ask for them, and what solves them. */

export interface Puzzle {
  id: string;
  position: { legal: string[] };
}

/** The solver's moves; anybody gets them who gives up, here somebody without an identity. */
export async function solutionOf(url: string, puzzle: Puzzle): Promise<string[]> {
  const asked = await fetch(new URL(`/api/puzzles/${puzzle.id}/attempts`, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ moves: [], show: true })
  });
  const { solution } = (await asked.json()) as { solution: string[] };
  return solution.filter((_, at) => at % 2 === 0);
}

/** The puzzle of the day. */
export async function puzzleOfTheDay(url: string): Promise<Puzzle> {
  const answer = await fetch(new URL('/api/puzzles/daily', url));
  return ((await answer.json()) as { puzzle: Puzzle }).puzzle;
}
