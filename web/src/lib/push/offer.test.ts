import { expect, it } from 'vitest';
import { isCorrespondence } from './offer';

it('is for games that nobody has to sit at', () => {
  const of = (clock: Parameters<typeof isCorrespondence>[0]['time_control']['clock']) =>
    isCorrespondence({ time_control: { clock } });
  expect(of({ type: 'none' })).toBe(true);
  expect(of({ type: 'per_move', move_ms: 3_600_000 })).toBe(true);
  expect(of({ type: 'per_move', move_ms: 3_599_999 })).toBe(false);
  expect(of({ type: 'fischer', initial_ms: 10_800_000, increment_ms: 180_000 })).toBe(false);
});
