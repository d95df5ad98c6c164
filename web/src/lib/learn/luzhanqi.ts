/** Lessons in Luzhanqi. */
import type { Lesson } from './lesson';

const REFEREE: Lesson = {
  ruleset: 'luzhanqi/referee',
  game: 'luzhanqi',
  steps: [
    { id: 'step', start: '3f1/5/5/5/2c2/5/5/5/5/2K2/5/1F3 w - - 0 1', right: ['c3*'] },
    { id: 'ride', start: '3f1/5/5/c4/2l2/5/5/5/5/5/K4/1F3 w - - 0 1', right: ['a2a9'], otherwise: 'ride' },
    {
      id: 'rank',
      start: '3f1/5/5/5/5/5/1jKb1/5/5/5/5/1F3 w - - 0 1',
      right: ['c6b6'],
      wrong: { c6d6: 'weaker' },
      otherwise: 'attack_it'
    },
    { id: 'equal', start: '3f1/5/5/5/2c2/5/1kK2/5/5/5/2C2/1F3 w - - 0 1', right: ['c6b6'], otherwise: 'attack_it' },
    {
      id: 'bomb',
      start: '3f1/5/5/5/5/5/1mNl1/5/5/5/2C2/1F3 w - - 0 1',
      right: ['c6b6'],
      wrong: { c6d6: 'waste' },
      otherwise: 'attack_it'
    },
    {
      id: 'mine',
      start: '3f1/E1x1K/5/5/2c2/5/5/5/5/5/5/1F3 w - - 0 1',
      right: ['a11c11'],
      wrong: { e11c11: 'mine' },
      otherwise: 'attack_it'
    },
    { id: 'corner', start: '3f1/4x/5/5/2c2/5/5/5/5/5/E4/1F3 w - - 0 1', right: ['a2e11'], otherwise: 'ride' },
    {
      id: 'camp',
      start: '3f1/5/5/5/5/5/5/5/5/2C2/2g2/1F3 w - - 0 1',
      right: ['c3c4', 'c3b3', 'c3d3'],
      wrong: { c3c2: 'weaker' },
      otherwise: 'lost'
    },
    { id: 'setup_flag', start: 'DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXFCX', setup: true, right: ['*'], hidden: true },
    { id: 'setup_mine', start: 'DKBJC/G1M1E/KL1BD/N1X1J/LCELN/EXCFX', setup: true, right: ['*'], hidden: true },
    { id: 'setup_grenade', start: 'DKNJC/G1M1E/KL1BD/B1E1J/LCXLN/EXCFX', setup: true, right: ['*'], hidden: true },
    {
      id: 'hidden',
      start: '3f1/5/5/5/2c2/5/1lK2/5/5/5/5/1F3 w - - 0 1',
      right: ['c6b6'],
      otherwise: 'attack_it',
      hidden: true
    },
    {
      id: 'deduce',
      start: '3f1/5/5/5/2c2/5/1mN2/1J3/5/5/2C2/1F3 w - - 0 1',
      right: ['c6b6'],
      wrong: { b5b6: 'weaker' },
      otherwise: 'attack_it',
      hidden: true
    },
    {
      id: 'clear',
      start: '2xfx/E2x1/5/5/2c2/5/5/5/5/5/K4/1F3 w - - 0 1',
      right: ['a11d11'],
      otherwise: 'attack_it',
      answer: 'c8c7',
      hidden: true
    },
    {
      id: 'flag',
      start: '2xfx/3E1/5/5/5/2c2/5/5/5/5/K4/1F3 w - - 0 1',
      right: ['d11d12'],
      otherwise: 'attack_it',
      ends: 'flag',
      hidden: true
    }
  ]
};

const SHOWDOWN: Lesson = {
  ruleset: 'luzhanqi/showdown',
  game: 'luzhanqi',
  steps: [
    {
      id: 'shown',
      start: '3f1/5/5/5/2c2/5/1lK2/5/5/5/5/1F3 w - - 0 1',
      right: ['c6b6'],
      otherwise: 'attack_it',
      hidden: true
    }
  ]
};

const NORTHERN: Lesson = {
  ruleset: 'luzhanqi/northern',
  game: 'luzhanqi',
  steps: [
    {
      id: 'survives',
      start: '3f1/E1x1K/5/5/2c2/5/5/5/5/5/5/1F3 w - - 0 1',
      right: ['a11c11'],
      wrong: { e11c11: 'mine_stays' },
      otherwise: 'attack_it'
    }
  ]
};

const MODERN: Lesson = {
  ruleset: 'luzhanqi/modern',
  game: 'luzhanqi',
  steps: [
    {
      id: 'holds',
      start: '3f1/5/5/5/2c2/5/5/5/5/5/1C3/1K1F1 w - - 0 1',
      right: ['b2*'],
      wrong: { b1b2: 'headquarters', b1a1: 'headquarters', b1c1: 'headquarters' }
    },
    {
      id: 'setup_stuck',
      start: 'DKBJC/E1M1E/KL1BD/N1E1J/LCXLN/XGCFX',
      setup: true,
      right: ['a1b1', 'b1c2', 'b1e1'],
      otherwise: 'stuck',
      hidden: true
    }
  ]
};

export const LUZHANQI: readonly Lesson[] = [REFEREE, SHOWDOWN, NORTHERN, MODERN];
