import { beforeAll, expect, it } from 'vitest';
import { need } from '$lib/i18n/index.svelte';
import { LinkLost, Refusal } from '$lib/protocol/refusal';
import { faultOf } from './fault';

beforeAll(() => need('account', 'common'));

it('has words for a refusal, and keeps what the server says besides', () => {
  expect(faultOf(new Refusal({ code: 'name_taken', message: 'taken', field: 'name' }))).toEqual({
    text: expect.not.stringContaining('name_taken'),
    detail: 'taken',
    field: 'name'
  });
});

it('says of a field what is the matter with it', () => {
  const refusal = new Refusal({ code: 'bad_value', message: 'one of the first guessed', field: 'password' });
  expect(faultOf(refusal).text).toMatch(/password/);
});

it('takes the words of the place where there are such', () => {
  const refusal = new Refusal({ code: 'bad_credentials', message: 'no' });
  expect(faultOf(refusal, { bad_credentials: 'account.password_wrong' }).text).toBe('Incorrect password.');
});

it('says so when no answer came', () => {
  expect(faultOf(new LinkLost())).toMatchObject({ detail: '', field: null });
  expect(faultOf(new LinkLost()).text).toMatch(/did not answer/);
});
