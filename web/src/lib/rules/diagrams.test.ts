import { describe, expect, it } from 'vitest';
import { ATTACKS, DIAGRAMS } from './diagrams';
import { impossible } from './marks';
import { asked, remains, verdict } from './verdicts';

it('has the program’s word for each diagram in each of its rule sets, and for nothing else', () => {
  expect(new Set(DIAGRAMS.map((diagram) => diagram.id)).size).toBe(DIAGRAMS.length);
  const wanted = DIAGRAMS.flatMap(({ id, rulesets }) => rulesets.map((ruleset) => `${id} ${ruleset}`));
  expect(asked().sort()).toEqual(wanted.sort());
});

describe.each(DIAGRAMS.map((diagram) => [diagram.id, diagram] as const))('the diagram %s', (id, diagram) => {
  it.each(diagram.rulesets)('shows what is true in %s', (ruleset) => {
    const said = verdict(id, ruleset);
    if (!said) throw new Error('the program was not asked');
    if (diagram.start && !diagram.moves) expect(said.fen).toBe(diagram.start);
    for (const move of diagram.can ?? []) expect(said.legal).toContain(move);
    for (const move of impossible(diagram).keys()) expect(said.legal).not.toContain(move);
    for (const from of diagram.from ?? []) expect(said.legal.some((move) => move.startsWith(from))).toBe(true);
    expect(said.banned).toEqual(Object.keys(diagram.banned ?? {}));
    const end = diagram.ends?.reason ?? null;
    expect(said.end?.split(' ')[1] ?? null).toBe(end);
  });
});

it('has the program’s word for each attack that it explains', () => {
  for (const ruleset of ['referee', 'showdown', 'northern', 'modern']) {
    for (const pair of ATTACKS) expect(remains(pair, `luzhanqi/${ruleset}`), `${pair} ${ruleset}`).not.toBeNull();
  }
  expect(remains('BX', 'luzhanqi/northern')).toBe('defender');
  expect(remains('BX', 'luzhanqi/referee')).toBe('none');
});
