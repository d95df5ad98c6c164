/** The mean of some numbers, and how far they are from it: the standard deviation. Both are 0 of none. */
export function spread(numbers: readonly number[]): { mean: number; deviation: number } {
  if (numbers.length === 0) return { mean: 0, deviation: 0 };
  const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const squares = numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / numbers.length) };
}
