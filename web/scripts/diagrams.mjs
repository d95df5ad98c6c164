// Asks the program what is legal in the diagrams of the rules and in the positions of the lessons, and writes it to
// src/lib/rules/verdicts.json and src/lib/learn/verdicts.json; with --check it compares instead.
// `npm run diagrams -- [--check] PATH/TO/qiguan`
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { createServer } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const check = process.argv.includes('--check');
const program = process.argv.slice(2).find((word) => !word.startsWith('--'));
if (!program) throw new Error('the path of the program is missing');

/** What `qiguan check` says to each of these, none of which it may refuse. */
function judged(requests) {
  const answers = answered(requests);
  answers.forEach((answer, at) => {
    if (!answer.ok) throw new Error(`${JSON.stringify(requests[at])}: ${answer.error.message}`);
  });
  return answers;
}

/** What `qiguan check` says to each of these. */
function answered(requests) {
  if (requests.length === 0) return [];
  const input = requests.map((request) => JSON.stringify(request)).join('\n') + '\n';
  const run = spawnSync(program, ['check'], { input, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (run.status !== 0) throw new Error(`${program} check: ${run.stderr || run.error}`);
  return run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** The other side of the lessons about setups. */
const SECOND = 'xfcxe/nlxcl/j1e1n/db1lk/e1m1g/cjbkd';

/** One attack: the attacker on c10 or d11, the defender behind it, with a free captain of each side elsewhere. */
function attack(ruleset, [attacker, defender]) {
  const flag = defender === 'F';
  const ranks = flag ? ['3f1', `3${attacker}1`, '5'] : ['3f1', `2${defender.toLowerCase()}2`, `2${attacker}2`];
  const start = [...ranks, 'c4', '5', '5', '5', '5', '5', '4C', '5', '1F3'].join('/') + ' w - - 0 1';
  return { ruleset, start, moves: [flag ? 'd11d12' : 'c10c11'] };
}

const vite = await createServer({
  root,
  configFile: false,
  resolve: { alias: { $lib: `${root}src/lib` } },
  logLevel: 'error',
  server: { middlewareMode: true },
  appType: 'custom'
});
const { DIAGRAMS, ATTACKS } = await vite.ssrLoadModule('/src/lib/rules/diagrams.ts');
const { LESSONS } = await vite.ssrLoadModule('/src/lib/learn/lessons.ts');
const { rightMoves } = await vite.ssrLoadModule('/src/lib/learn/lesson.ts');
const { boardText, placement, plies } = await vite.ssrLoadModule('/src/lib/game/plies.ts');
await vite.close();

const rows = DIAGRAMS.flatMap((diagram) => diagram.rulesets.map((ruleset) => ({ diagram, ruleset })));
const request = ({ diagram, ruleset }, more = []) => ({
  ruleset,
  ...(diagram.start ? { start: diagram.start } : { setups: diagram.setups }),
  moves: [...(diagram.moves ?? []), ...more]
});
const answers = judged(rows.map((row) => request(row)));
const ending = rows.filter(({ diagram }) => diagram.ends?.move);
const ends = judged(ending.map((row) => request(row, [row.diagram.ends.move])));

/** Who is removed by an attack, told by what stands there afterwards; undefined for a move that attacks nothing. */
function removedBy(before, move, after) {
  const outcomes = ['defender', 'attacker', 'both'];
  const board = (fen) => fen.split(' ')[0];
  const found = outcomes.find((removed) => board(plies(before, [{ move, removed }])[1].fen) === board(after));
  if (!found) throw new Error(`${move} in ${before} leads to ${after}`);
  return board(plies(before, [{ move, removed: 'both' }])[1].fen) === board(plies(before, [{ move }])[1].fen)
    ? undefined
    : found;
}

/** Who is removed by each legal move that is an attack: the moves, by outcome. Elsewhere what is attacked is taken. */
function attacksIn(row, { fen, legal }) {
  const removed = {};
  judged(legal.map((move) => request(row, [move]))).forEach((after, at) => {
    const who = removedBy(fen, legal[at], after.fen);
    if (who) removed[who] = [removed[who], legal[at]].filter(Boolean).join(' ');
  });
  if (!row.ruleset.startsWith('luzhanqi/') || Object.keys(removed).length === 0) return {};
  return { removed };
}

const diagrams = {};
rows.forEach(({ diagram, ruleset }, at) => {
  const { fen, turn, check, legal, banned, outcome } = answers[at];
  const end =
    outcome ?? ends[ending.findIndex((row) => row.diagram === diagram && row.ruleset === ruleset)]?.outcome ?? null;
  diagrams[diagram.id] ??= { fen, turn, check, by: {} };
  diagrams[diagram.id].by[ruleset] = {
    legal: legal.join(' '),
    banned: banned.join(' '),
    end: end && `${end.winner} ${end.reason}`,
    ...attacksIn({ diagram, ruleset }, answers[at])
  };
});

const attacks = {};
for (const ruleset of new Set(rows.map((row) => row.ruleset).filter((name) => name.startsWith('luzhanqi/')))) {
  const results = judged(ATTACKS.map((pair) => attack(ruleset, pair)));
  attacks[ruleset] = Object.fromEntries(
    ATTACKS.map((pair, at) => {
      const ranks = results[at].fen.split('/');
      const place = pair[1] === 'F' ? ranks[0] : ranks[1];
      const left = /[A-Z]/.test(place) ? 'attacker' : pair[1] !== 'F' && /[a-z]/.test(place) ? 'defender' : 'none';
      return [pair, left];
    })
  );
}

/** The rules of a setup that `qiguan check` names in an error, by the reason that the lesson gives for them. */
const BROKEN = { setup_flag: 'the Flag must', setup_mine: 'Landmines must', setup_grenade: 'Grenades can' };
const broken = ({ error }) => Object.keys(BROKEN).filter((reason) => error?.message.includes(BROKEN[reason]));

/** A setup with each two of its pieces exchanged: which exchanges are legal, what comes of them, and what rule the others break. */
function setupSaid(ruleset, { start, right }) {
  const ranks = placement(start);
  const squares = [...ranks.keys()].sort();
  const text = (stands) => boardText(stands, 5, 6);
  const request = (stands) => ({ ruleset, setups: { first: text(stands), second: SECOND }, moves: [] });
  const pairs = squares.flatMap((from, at) => squares.slice(at + 1).map((to) => [from, to]));
  const exchanged = ([from, to]) => new Map(ranks).set(from, ranks.get(to)).set(to, ranks.get(from));
  const [before, ...told] = answered([request(ranks), ...pairs.map((pair) => request(exchanged(pair)))]);
  const legal = [];
  const wrong = {};
  const after = {};
  told.forEach((answer, at) => {
    const move = pairs[at].join('');
    if (answer.ok) {
      legal.push(move);
      if (rightMoves({ right }, [move]).length > 0) after[move] = { fen: answer.fen, check: false, end: null };
      return;
    }
    const rules = broken(answer);
    // What the exchange has broken is said before what was broken already.
    const reason = rules.find((rule) => !broken(before).includes(rule)) ?? rules[0];
    if (!reason) throw new Error(`${move} in ${start}: ${answer.error.message}`);
    wrong[reason] = [wrong[reason], move].filter(Boolean).join(' ');
  });
  const fen = `${SECOND}/${start} w - - 0 1`;
  return { fen, turn: 'first', check: false, legal: legal.join(' '), banned: '', after, wrong };
}

/** What is true of each position of a lesson, and after each move that solves it. */
const lessons = {};
for (const { ruleset, steps } of LESSONS) {
  const asked = ({ start, moves = [] }, more = []) => ({ ruleset, start, moves: [...moves, ...more] });
  const moving = steps.filter((step) => !step.setup);
  const told = judged(moving.map((step) => asked(step)));
  lessons[ruleset] = {};
  steps.forEach((step) => {
    if (step.setup) {
      lessons[ruleset][step.id] = setupSaid(ruleset, step);
      return;
    }
    const { fen, turn, check, legal, banned } = told[moving.indexOf(step)];
    const solved = rightMoves(step, legal).map((move) => [move, ...(step.answer ? [step.answer] : [])]);
    const ends = judged(solved.flatMap((moves) => moves.map((_, last) => asked(step, moves.slice(0, last + 1)))));
    const after = solved.map(([move, ...answers]) => {
      const line = ends.splice(0, 1 + answers.length);
      const [by] = line;
      const end = by.outcome && `${by.outcome.winner} ${by.outcome.reason}`;
      return [move, { fen: by.fen, check: by.check, end, ...(answers.length > 0 ? { answered: line[1].fen } : {}) }];
    });
    lessons[ruleset][step.id] = {
      fen,
      turn,
      check,
      legal: legal.join(' '),
      banned: banned.join(' '),
      after: Object.fromEntries(after)
    };
  });
}

await written('src/lib/rules/verdicts.json', { diagrams, attacks });
await written('src/lib/learn/verdicts.json', lessons);

/** Writes a file, or compares it. */
async function written(name, content) {
  const target = root + name;
  const options = await resolveConfig(target);
  const text = await format(JSON.stringify(content), { ...options, parser: 'json' });
  if (!check) writeFileSync(target, text);
  else if (readFileSync(target, 'utf8') !== text)
    throw new Error(`${target} is not what ${program} says: make it again`);
}
