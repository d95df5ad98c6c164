/** Lessons in Dou Shou Qi. */
import { because, type Lesson } from './lesson';

const BOOKLET: Lesson = {
  ruleset: 'doushouqi/booklet',
  game: 'doushouqi',
  steps: [
    { id: 'step', start: '6d/7/7/7/7/7/2C4/7/7 w - - 0 1', right: ['c3*'], wrong: { c3c4: 'only_rat' } },
    {
      id: 'capture',
      start: '7/7/7/7/7/7/2cDw2/7/7 w - - 0 1',
      right: ['d3c3'],
      wrong: { d3e3: 'stronger' },
      otherwise: 'capture'
    },
    {
      id: 'equal',
      start: '7/7/7/7/7/3l3/2tT3/7/7 w - - 0 1',
      right: ['d3c3'],
      wrong: { d3d4: 'stronger' },
      otherwise: 'capture'
    },
    {
      id: 'rat',
      start: '7/7/7/7/7/7/2eRc2/7/7 w - - 0 1',
      right: ['d3c3'],
      wrong: { d3e3: 'stronger' },
      otherwise: 'capture'
    },
    {
      id: 'elephant',
      start: '7/7/7/7/7/7/2rEl2/7/7 w - - 0 1',
      right: ['d3e3'],
      wrong: { d3c3: 'elephant_rat' },
      otherwise: 'capture'
    },
    {
      id: 'swim',
      start: '6e/7/7/7/7/7/1RC4/7/7 w - - 0 1',
      right: ['b3b4'],
      wrong: { c3c4: 'only_rat' },
      otherwise: 'swim'
    },
    {
      id: 'jump',
      start: '6e/7/1w5/7/7/7/1L5/7/7 w - - 0 1',
      right: ['b3b7'],
      wrong: { b3b4: 'only_rat' },
      otherwise: 'jump'
    },
    {
      id: 'blocked',
      start: '7/7/1c5/7/1r1d2T/7/1L5/7/7 w - - 0 1',
      right: ['g5d5'],
      wrong: { b3b7: 'rat_blocks', b3b4: 'only_rat', g5f5: 'only_rat' },
      otherwise: 'capture'
    },
    { id: 'trap', start: '6r/7/7/7/7/7/7/2Ce3/7 w - - 0 1', right: ['c2d2'], otherwise: 'capture' },
    {
      id: 'flee',
      start: '6c/3t3/3W3/7/7/7/2C4/7/7 w - - 0 1',
      right: ['d7*'],
      wrong: { d7d8: 'stronger', c3c4: 'only_rat' },
      otherwise: 'lost'
    },
    { id: 'den', start: '7/3L3/7/7/7/7/3c3/7/7 w - - 0 1', right: ['d8d9'], otherwise: 'den', ends: 'den' },
    {
      id: 'way',
      start: '7/2c1L2/7/7/7/7/7/7/7 w - - 0 1',
      right: ['e8e9'],
      wrong: { e8d8: 'in_trap' },
      otherwise: 'den',
      answer: 'c8d8'
    },
    { id: 'win', start: '4L2/3c3/7/7/7/7/7/7/7 w - - 0 1', right: ['e9d9'], otherwise: 'den', ends: 'den' },
    {
      id: 'again',
      start: '7/7/6w/7/7/7/L6/7/7 w - - 0 1',
      moves: ['a3a2', 'g7g8', 'a2a3', 'g8g7', 'a3a2', 'g7g8', 'a2a1', 'g8g7'],
      right: ['*'],
      banned: { move: 'a1a2', reason: 'repetition' }
    }
  ]
};

const ANCIENT: Lesson = {
  ruleset: 'doushouqi/ancientchess',
  game: 'doushouqi',
  steps: [
    {
      id: 'dog',
      start: '7/7/7/7/7/7/2pDw2/7/7 w - - 0 1',
      right: ['d3e3'],
      wrong: { d3c3: 'stronger' },
      otherwise: 'capture'
    },
    {
      id: 'elephant_rat',
      start: '6c/7/7/7/7/7/2rE3/7/7 w - - 0 1',
      right: ['d3c3'],
      otherwise: 'capture'
    },
    {
      id: 'shore',
      start: '7/7/7/7/1r5/eR5/7/7/7 w - - 0 1',
      right: ['b4b5'],
      wrong: { b4a4: 'shore' },
      otherwise: 'capture'
    },
    {
      id: 'never',
      start: '7/7/6w/7/7/7/L6/7/7 w - - 0 1',
      moves: ['a3a2', 'g7g8', 'a2a1', 'g8g7'],
      right: ['*'],
      banned: { move: 'a1a2', reason: 'repetition' }
    }
  ]
};

const TIERSCHACH: Lesson = {
  ruleset: 'doushouqi/tierschach',
  game: 'doushouqi',
  steps: [
    {
      id: 'tiger',
      start: '7/7/7/7/7/7/2eTl2/7/7 w - - 0 1',
      right: ['d3e3'],
      wrong: { d3c3: 'stronger' },
      otherwise: 'capture'
    },
    {
      id: 'elephant_rat',
      start: '6c/7/7/7/7/7/2rE3/7/7 w - - 0 1',
      right: ['d3c3'],
      otherwise: 'capture'
    },
    {
      id: 'leopard',
      start: '7/7/1c5/7/3P2d/7/1L5/7/7 w - - 0 1',
      right: ['d5g5'],
      wrong: { b3b7: 'lion_stays', ...because('only_rat', 'b3b4 d5c5 d5e5') },
      otherwise: 'capture'
    },
    { id: 'own_trap', start: '7/2Cl3/7/7/7/7/7/6r/7 w - - 0 1', right: ['c8d8'], otherwise: 'capture' }
  ]
};

export const DOUSHOUQI: readonly Lesson[] = [BOOKLET, ANCIENT, TIERSCHACH];
