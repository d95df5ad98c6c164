import { expect, it } from 'vitest';
import { isDismissed } from './dismissal';

const notice = { text: 'soon', since: 1_000, until: 9_000 };

it('hides a notice where it was dismissed, and shows a later one again', () => {
  expect(isDismissed(notice, null)).toBe(false);
  expect(isDismissed(notice, '1000')).toBe(true);
  expect(isDismissed({ ...notice, since: 2_000 }, '1000')).toBe(false);
});
