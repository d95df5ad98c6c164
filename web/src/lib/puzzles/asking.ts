/** What the server is asked about puzzles. */
import { ask } from '$lib/protocol/http';
import type { PuzzleAttempt } from '$lib/protocol/protocol';

/** The rule sets that have puzzles. */
export const RULE_SETS = ['xiangqi/standard', 'doushouqi/booklet', 'xiangqi/grunfeld'] as const;

export const puzzles = {
  daily: (signal?: AbortSignal) => ask('GET /api/puzzles/daily', { signal }),
  next: (ruleset: string, signal?: AbortSignal) => ask('GET /api/puzzles/next', { query: { ruleset }, signal }),
  get: (id: string, signal?: AbortSignal) => ask('GET /api/puzzles/{id}', { at: [id], signal }),
  attempt: (id: string, body: PuzzleAttempt) => ask('POST /api/puzzles/{id}/attempts', { at: [id], body }),
  results: (signal?: AbortSignal) => ask('GET /api/puzzles/results', { signal }),
  drills: (signal?: AbortSignal) => ask('GET /api/puzzles/drills', { signal })
};
