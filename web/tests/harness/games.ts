/** Short whole games, one of each kind, and what comes of them. `qiguan check` judges them the same. */
export interface WholeGame {
  ruleset: string;
  moves: readonly string[];
  winner: 'first' | 'second';
  reason: string;
  /** Luzhanqi's setups. */
  setups?: { first: string; second: string };
}

export const DOU_SHOU_QI: WholeGame = {
  ruleset: 'doushouqi/booklet',
  moves: 'c3d3 a7a6 d3d4 a6a5 d4d5 a5a4 d5d6 a4b4 d6d7 b4b5 d7d8 b5b6 d8d9'.split(' '),
  winner: 'first',
  reason: 'den'
};

export const XIANGQI: WholeGame = {
  ruleset: 'xiangqi/standard',
  moves: 'g4g5 h10g8 h1g3 c10e8 b1c3 a10a8 b3b10 e10e9 a1b1 b8b2 b1b2 g7g6 b2b9'.split(' '),
  winner: 'first',
  reason: 'checkmate'
};

export const LUZHANQI: WholeGame = {
  ruleset: 'luzhanqi/referee',
  setups: { first: 'MKBJC/G1D1E/KL1BD/N1E1J/LCXLN/EXCFX', second: 'xfcxe/nlxcl/j1e1n/db1lk/e1m1g/cjbkd' },
  moves: 'a6a7 b7b8 a7a8 b8c9 a8a9 c9d8 a9a10 d8c9 a10b10 c9b8 b10b11 b8c9 b11b12'.split(' '),
  winner: 'first',
  reason: 'flag'
};

/** Both move to and fro in Dou Shou Qi until the next move of the second seat, `a6a7`, is banned. */
export const UP_TO_A_BAN = 'a3a4 a7a6 a4a3 a6a7 a3a4 a7a6 a4a3'.split(' ');
