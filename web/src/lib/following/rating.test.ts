import { expect, it } from 'vitest';
import { latestRating } from './rating';

it('shows the rating of what was played last', () => {
  const rating = (ruleset: string, value: number, played_at: number | null) => ({
    ruleset,
    rating: { value },
    deviation: 80,
    played_at
  });
  expect(latestRating([])).toBeUndefined();
  expect(latestRating([rating('a', 1500, null), rating('b', 1600, 9), rating('c', 1700, 5)])?.value).toBe(1600);
});
