import type { Profile } from '$lib/protocol/protocol';

type Ratings = Profile['ratings'];

/** The rating of the rule set that somebody played last; undefined without any. */
export function latestRating(ratings: Ratings): Ratings[number]['rating'] | undefined {
  return [...ratings].sort((a, b) => (b.played_at ?? 0) - (a.played_at ?? 0))[0]?.rating;
}
