import { expect, it } from 'vitest';
import { LIMITS } from '$lib/protocol/protocol';
import { DELAY_STEPS, NO_DELAY, toDelay } from './delay';

it('travels as plies or as minutes, and not at all where there is none', () => {
  expect(toDelay(NO_DELAY)).toBeNull();
  expect(toDelay({ ...NO_DELAY, kind: 'plies', plies: 15 })).toEqual({ plies: 15 });
  expect(toDelay({ ...NO_DELAY, kind: 'minutes', minutes: 1 })).toEqual({ minutes: 1 });
});

it('is offered from one up to what the protocol allows, the counts at the beginning among them', () => {
  for (const [kind, most] of [
    ['plies', LIMITS.DELAY_PLIES],
    ['minutes', LIMITS.DELAY_MINUTES]
  ] as const) {
    const steps = DELAY_STEPS[kind];
    expect([steps[0], steps.at(-1)], kind).toEqual([1, most]);
    expect(steps, kind).toContain(NO_DELAY[kind]);
  }
  expect(DELAY_STEPS.plies).toHaveLength(LIMITS.DELAY_PLIES);
});
