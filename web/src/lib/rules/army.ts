/** The men of Luzhanqi, the highest rank first. */

/** A kind of man. */
export interface Man {
  letter: string;
  /** How many a side has. */
  count: number;
}

/** All of them: 25 in sum. */
export const ARMY: readonly Man[] = [
  { letter: 'M', count: 1 },
  { letter: 'G', count: 1 },
  { letter: 'D', count: 2 },
  { letter: 'B', count: 2 },
  { letter: 'K', count: 2 },
  { letter: 'J', count: 2 },
  { letter: 'C', count: 3 },
  { letter: 'L', count: 3 },
  { letter: 'E', count: 3 },
  { letter: 'N', count: 2 },
  { letter: 'X', count: 3 },
  { letter: 'F', count: 1 }
];
