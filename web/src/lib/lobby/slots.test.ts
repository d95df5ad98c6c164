import { expect, it } from 'vitest';
import { Slots } from './slots';

it('gives what there is, then in the order of asking', () => {
  const slots = new Slots(2);
  const got: string[] = [];
  const back = ['a', 'b', 'c', 'd'].map((name) => slots.ask(() => got.push(name)));
  expect(got).toEqual(['a', 'b']);
  back[2]?.();
  back[0]?.();
  expect(got).toEqual(['a', 'b', 'd']);
});

it('takes each back once', () => {
  const slots = new Slots(1);
  const got: string[] = [];
  const back = slots.ask(() => got.push('a'));
  slots.ask(() => got.push('b'));
  slots.ask(() => got.push('c'));
  back();
  back();
  expect(got).toEqual(['a', 'b']);
});
