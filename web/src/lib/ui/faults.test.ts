import { beforeAll, expect, it } from 'vitest';
import { need } from '$lib/i18n/index.svelte';
import { LinkLost, Refusal } from '$lib/protocol/refusal';
import { faultDetail, faultText, fieldOf } from './faults';

beforeAll(() => need('account', 'common'));

it('has words for a refusal, and names its field', () => {
  const refusal = new Refusal({ code: 'name_taken', message: 'taken', field: 'name' });
  expect(faultText(refusal)).not.toContain('name_taken');
  expect(fieldOf(refusal)).toBe('name');
  expect(faultDetail(refusal)).toBeNull();
});

it('says of a field what is the matter with it, and keeps what the server says besides', () => {
  const refusal = new Refusal({ code: 'bad_value', message: 'one of the first guessed', field: 'password' });
  expect(faultText(refusal)).toMatch(/password/);
  expect(faultDetail(refusal)).toBe('one of the first guessed');
});

it('takes the words of the place where there are such', () => {
  const refusal = new Refusal({ code: 'bad_credentials', message: 'no' });
  expect(faultText(refusal, { bad_credentials: 'account.password_wrong' })).toBe('Incorrect password.');
});

it('says so when no answer came', () => {
  expect(faultText(new LinkLost())).toMatch(/reached/);
  expect(faultDetail(new LinkLost())).toBeNull();
  expect(fieldOf(new LinkLost())).toBeNull();
});
