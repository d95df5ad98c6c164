/** The pieces of a side in Luzhanqi, the highest rank first, with how many there are: 25 in sum. */
export const ARMY: Readonly<Record<string, number>> = {
  M: 1,
  G: 1,
  D: 2,
  B: 2,
  K: 2,
  J: 2,
  C: 3,
  L: 3,
  E: 3,
  N: 2,
  X: 3,
  F: 1
};
