/** The men of Luzhanqi, the highest rank first. */

/** A kind of man. */
export interface Man {
  letter: string;
  /** 1 is the highest; null for those that have none. */
  rank: number | null;
  /** How many a side has. */
  count: number;
}

/** All of them: 25 in sum. */
export const ARMY: readonly Man[] = [
  { letter: 'M', rank: 1, count: 1 },
  { letter: 'G', rank: 2, count: 1 },
  { letter: 'D', rank: 3, count: 2 },
  { letter: 'B', rank: 4, count: 2 },
  { letter: 'K', rank: 5, count: 2 },
  { letter: 'J', rank: 6, count: 2 },
  { letter: 'C', rank: 7, count: 3 },
  { letter: 'L', rank: 8, count: 3 },
  { letter: 'E', rank: 9, count: 3 },
  { letter: 'N', rank: null, count: 2 },
  { letter: 'X', rank: null, count: 3 },
  { letter: 'F', rank: null, count: 1 }
];
