import { expect, it } from 'vitest';
import { ARMY } from './army';
import { verdict } from './verdicts';

it('has as many men of each kind as the program puts on the board', () => {
  const fen = verdict('armies_setup', 'luzhanqi/referee')?.fen.split(' ')[0] ?? '';
  for (const { letter, count } of ARMY) expect([...fen].filter((sign) => sign === letter).length, letter).toBe(count);
  expect(ARMY.reduce((sum, man) => sum + man.count, 0)).toBe(25);
});
