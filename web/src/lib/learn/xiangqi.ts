/** Lessons in Xiangqi. */
import { because, type Lesson } from './lesson';

const STANDARD: Lesson = {
  ruleset: 'xiangqi/standard',
  game: 'xiangqi',
  steps: [
    {
      id: 'chariot',
      start: '4k4/9/9/9/9/9/9/9/R5n2/3K5 w - - 0 1',
      right: ['a2g2'],
      wrong: { d1e1: 'face' },
      otherwise: 'capture'
    },
    {
      id: 'horse',
      start: '3k5/9/9/9/9/2p6/3C1p3/3N5/9/4K4 w - - 0 1',
      right: ['d3f4'],
      wrong: because('horse_leg', 'd3c5 d3e5'),
      otherwise: 'capture'
    },
    {
      id: 'cannon',
      start: '3k5/9/1n7/9/9/1p7/9/1C7/9/4K4 w - - 0 1',
      right: ['b3b8'],
      wrong: { b3b5: 'cannon_slides', e1d1: 'face' },
      otherwise: 'capture'
    },
    {
      id: 'elephant',
      start: '3k5/9/9/9/9/9/9/p3p4/3N5/2B1K4 w - - 0 1',
      right: ['c1a3'],
      wrong: { c1e3: 'elephant_eye', e1e2: 'in_check' },
      otherwise: 'capture'
    },
    { id: 'advisor', start: '3k5/9/9/9/9/9/9/9/4n4/3AK4 w - - 0 1', right: ['d1e2'], otherwise: 'stays' },
    {
      id: 'soldier',
      start: '3k5/9/9/9/9/2p6/2P6/9/9/4K4 w - - 0 1',
      right: ['c4c5'],
      wrong: { e1d1: 'face' },
      otherwise: 'capture'
    },
    {
      id: 'crossed',
      start: '4k4/9/9/9/2Pn5/9/9/9/9/3K5 w - - 0 1',
      right: ['c6d6'],
      wrong: { d1e1: 'face' },
      otherwise: 'capture'
    },
    {
      id: 'face',
      start: '4k4/9/9/9/9/n1p1C4/9/9/9/4K4 w - - 0 1',
      right: ['e5*'],
      wrong: because('face', 'e5a5 e5d5 e5f5 e5g5 e5h5 e5i5'),
      otherwise: 'on_file'
    },
    {
      id: 'check',
      start: '3k5/9/9/9/R3r4/9/9/9/9/4K4 w - - 0 1',
      right: ['*'],
      wrong: {
        e1d1: 'face',
        ...because('in_check', 'a6a1 a6a2 a6a3 a6a4 a6a5 a6a7 a6a8 a6a9 a6a10 a6b6 a6c6 a6d6 e1e2')
      }
    },
    {
      id: 'mate',
      start: '4k4/R8/1R7/9/9/9/9/9/9/3K5 w - - 0 1',
      right: ['b8b10'],
      wrong: { d1e1: 'face' },
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
      wrong: { d1e1: 'face' },
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
        b3b1: 'cannon_jumps',
        e1d1: 'face'
      },
      otherwise: 'cannon_jumps'
    },
    {
      id: 'third',
      start: '3k5/9/9/9/9/9/8p/9/R8/4K4 w - - 0 1',
      moves: ['a2a3', 'd10d9', 'a3a2', 'd9d10', 'a2a3', 'd10d9', 'a3a4', 'd9d10'],
      right: ['*'],
      wrong: { e1d1: 'face' },
      banned: { move: 'a4a3', reason: 'repetition' }
    }
  ]
};

export const XIANGQI: readonly Lesson[] = [STANDARD, GRUNFELD];
