/** Lessons in Xiangqi. */
import type { Lesson } from './lesson';

const STANDARD: Lesson = {
  ruleset: 'xiangqi/standard',
  game: 'xiangqi',
  steps: [
    { id: 'chariot', start: '4k4/9/9/9/9/9/9/9/R5n2/3K5 w - - 0 1', right: ['a2g2'], otherwise: 'capture' },
    {
      id: 'horse',
      start: '3k5/9/9/9/9/2p6/3C1p3/3N5/9/4K4 w - - 0 1',
      right: ['d3f4'],
      wrong: { d3c5: 'horse_leg' },
      otherwise: 'capture'
    },
    {
      id: 'cannon',
      start: '3k5/9/1n7/9/9/1p7/9/1C7/9/4K4 w - - 0 1',
      right: ['b3b8'],
      wrong: { b3b5: 'cannon_slides' },
      otherwise: 'capture'
    },
    {
      id: 'elephant',
      start: '3k5/9/9/9/9/9/9/p3p4/3N5/2B1K4 w - - 0 1',
      right: ['c1a3'],
      wrong: { c1e3: 'elephant_eye' },
      otherwise: 'capture'
    },
    { id: 'advisor', start: '3k5/9/9/9/9/9/9/9/4n4/3AK4 w - - 0 1', right: ['d1e2'], otherwise: 'stays' },
    { id: 'soldier', start: '3k5/9/9/9/9/2p6/2P6/9/9/4K4 w - - 0 1', right: ['c4c5'], otherwise: 'capture' },
    { id: 'crossed', start: '4k4/9/9/9/2Pn5/9/9/9/9/3K5 w - - 0 1', right: ['c6d6'], otherwise: 'capture' },
    {
      id: 'face',
      start: '4k4/9/9/9/9/n1p1C4/9/9/9/4K4 w - - 0 1',
      right: ['e5*'],
      wrong: { e5a5: 'face' },
      otherwise: 'on_file'
    },
    { id: 'check', start: '3k5/9/9/9/R3r4/9/9/9/9/4K4 w - - 0 1', right: ['*'] },
    {
      id: 'mate',
      start: '4k4/R8/1R7/9/9/9/9/9/9/3K5 w - - 0 1',
      right: ['b8b10'],
      otherwise: 'mate',
      ends: 'checkmate'
    },
    {
      id: 'stalemate',
      start: '3k5/9/9/3P5/9/9/9/9/9/4K4 w - - 0 1',
      right: ['d7d8'],
      otherwise: 'mate',
      ends: 'stalemate'
    },
    {
      id: 'perpetual',
      start: '4k4/9/R8/9/9/9/8p/9/9/3K5 w - - 0 1',
      moves: ['a8a10', 'e10e9', 'a10a9', 'e9e10', 'a9a10', 'e10e9', 'a10a9', 'e9e10'],
      right: ['*'],
      banned: { move: 'a9a10', reason: 'perpetual_check' }
    }
  ]
};

const GRUNFELD: Lesson = {
  ruleset: 'xiangqi/grunfeld',
  game: 'xiangqi',
  steps: [
    {
      id: 'jumps',
      start: '3k5/9/9/9/9/1p7/9/1C7/9/4K4 w - - 0 1',
      right: ['b3*'],
      wrong: {
        b3b4: 'cannon_jumps',
        b3c3: 'cannon_jumps',
        b3a3: 'cannon_jumps',
        b3b2: 'cannon_jumps',
        b3b1: 'cannon_jumps'
      },
      otherwise: 'cannon_jumps'
    },
    {
      id: 'third',
      start: '3k5/9/9/9/9/9/8p/9/R8/4K4 w - - 0 1',
      moves: ['a2a3', 'd10d9', 'a3a2', 'd9d10', 'a2a3', 'd10d9', 'a3a4', 'd9d10'],
      right: ['*'],
      banned: { move: 'a4a3', reason: 'repetition' }
    }
  ]
};

export const XIANGQI: readonly Lesson[] = [STANDARD, GRUNFELD];
