// @vitest-environment node
import { expect, it } from 'vitest';
import { Latest } from './latest';

/** A server that answers on demand. */
function slow() {
  const sent: string[] = [];
  const answers: { ok(): void; no(): void }[] = [];
  const send = (value: string) =>
    new Promise<void>((ok, fail) => {
      sent.push(value);
      answers.push({ ok, no: () => fail(new Error(value)) });
    });
  return { sent, answers, latest: new Latest(send) };
}

const turn = () => new Promise((done) => setTimeout(done));

it('sends one value at a time, and only the newest of those that waited', async () => {
  const { sent, answers, latest } = slow();
  const done = latest.push('a');
  void latest.push('b');
  void latest.push('c');
  expect(sent).toEqual(['a']);
  answers[0]?.ok();
  await turn();
  expect(sent).toEqual(['a', 'c']);
  expect(latest.busy).toBe(true);
  answers[1]?.ok();
  await done;
  expect(latest.busy).toBe(false);
});

it('tells of a refusal of the last value', async () => {
  const { answers, latest } = slow();
  const done = latest.push('a');
  answers[0]?.no();
  await expect(done).rejects.toThrow('a');
  void latest.push('b');
  expect(latest.busy).toBe(true);
});

it('forgets the refusal of a value that a newer one has replaced', async () => {
  const { answers, latest, sent } = slow();
  const done = latest.push('a');
  void latest.push('b');
  answers[0]?.no();
  await turn();
  expect(sent).toEqual(['a', 'b']);
  answers[1]?.ok();
  await expect(done).resolves.toBeUndefined();
});
