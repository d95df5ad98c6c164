/** Shares of a whole in percent, as numbers that a reader can add up: together 100, or all 0 where there is nothing. */
export function shares(counts: readonly number[]): number[] {
  const sum = counts.reduce((all, one) => all + one, 0);
  if (sum === 0) return counts.map(() => 0);
  const floors = counts.map((count) => Math.floor((100 * count) / sum));
  let left = 100 - floors.reduce((all, one) => all + one, 0);
  const byRest = counts
    .map((count, at) => ({ at, rest: (100 * count) / sum - (floors[at] ?? 0) }))
    .toSorted((one, other) => other.rest - one.rest);
  for (const { at } of byRest) if (left-- > 0) floors[at] = (floors[at] ?? 0) + 1;
  return floors;
}
