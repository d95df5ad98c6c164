/** A lone visitor with a phone learns a game from nothing, beats the computer, learns from a mistake, solves the puzzle of the day, and finds it all kept the next day: in each language. */
import type { Locator } from '@playwright/test';
import { DOUSHOUQI } from '../../src/lib/learn/doushouqi';
import { LOCALES, type Locale } from '../../src/lib/locales';
import type { MessageKey } from '../../src/lib/i18n/spaces';
import { fitsItsScreen, hasNoBarriers, isPictured, speaks } from '../harness/looks';
import { puzzleOfTheDay, solutionOf } from '../harness/puzzles';
import { expect, test } from '../harness/story';
import type { Visitor } from '../harness/visitor';
import { isAllIn, withMove, wordsIn, type Words } from '../harness/words';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** What a browser says that its user reads. */
const TAGS: Readonly<Record<Locale, string>> = {
  en: 'en-GB',
  de: 'de-DE',
  'zh-Hans': 'zh-CN',
  'zh-Hant': 'zh-TW',
  vi: 'vi-VN'
};

const LANGUAGES = Object.keys(LOCALES) as Locale[];

/** A machine that does much else besides takes its time for all of this, and for a step of it. */
const PATIENCE_MS = 180_000;
const STEP_MS = 30_000;
const DAY_MS = 86_400_000;
/** A day with a puzzle of Dou Shou Qi, at noon: no story goes on past midnight. */
const DAY = Date.UTC(2027, 0, 1, 12);

/** The moves that solve the lesson, and those that are wrong or banned before them, by place. */
const RIGHT = 'c3d3 d3c3 d3c3 d3c3 d3e3 b3b4 b3b7 g5d5 c2d2 d7c7 d8d9 e8e9 e9d9 a1b1'.split(' ');
const WRONG: Readonly<Record<number, string>> = { 1: 'd3e3', 11: 'e8d8', 13: 'a1a2' };

/** The lion's way across the river, which the weakest computer does little against. */
const PLAN = 'e3d3 g1f1 f1e1 e1e2 e2e3 e3e7'.split(' ');
/** What costs so many thousandths of the chance to win is a mistake to the review too, which looks from the other side; from 200 on it says so. */
const LOSS = 280;

/** A move, and the chance to win by it, in thousandths. */
interface Weighed {
  move: string;
  chance: number;
}

interface Hint {
  best: Weighed;
  asked?: Weighed & { loss: number };
}

class Lone {
  readonly page;
  readonly t: Words;
  /** How many pages were looked at. */
  #seen = 0;

  constructor(
    readonly visitor: Visitor,
    readonly locale: Locale
  ) {
    this.page = visitor.page;
    this.t = wordsIn(locale);
    this.page.setDefaultTimeout(STEP_MS);
  }

  button(key: MessageKey, within: Locator = this.page.getByRole('main')): Locator {
    return within.getByRole('button', { name: this.t(key), exact: true });
  }

  link(key: MessageKey, within: Locator = this.page.getByRole('main')): Locator {
    return within.getByRole('link', { name: this.t(key), exact: true });
  }

  region(key: MessageKey): Locator {
    return this.page.getByRole('region', { name: this.t(key), exact: true });
  }

  /** Has a page with nothing against it, and a picture of it. What axe judges does not depend on the language, and takes longer than all else: each language has it look at another part of the pages. */
  async sees(what: string): Promise<void> {
    const name = `${what} in ${this.locale}`;
    await fitsItsScreen(this.page, name);
    await speaks(this.page, name);
    await isAllIn(this.page, this.locale, name);
    if (this.#seen++ % LANGUAGES.length === LANGUAGES.indexOf(this.locale)) await hasNoBarriers(this.page, name);
    await isPictured(this.page, `lone-${what.replaceAll(' ', '-')}-${this.locale}`, false);
  }

  /** Makes a move on the board within something. */
  async moves(move: string, within: Locator = this.page.getByRole('main')): Promise<void> {
    const [, from = '', to = ''] = /^([a-z]\d+)([a-z]\d+)$/.exec(move) ?? [];
    for (const square of [from, to]) await this.square(square, within).tap();
  }

  square(name: string, within: Locator = this.page.getByRole('main')): Locator {
    return within.getByRole('gridcell', { name: new RegExp(`^${name}\\b`) });
  }

  /** The moves that can be made in a game. */
  async legal(game: string): Promise<readonly string[]> {
    const { position } = await this.asks<{ position: { legal: string[] } }>('GET', `/api/games/${game}`);
    return position.legal;
  }

  /** What the computer thinks of the position in a game, and of a move. */
  weighs(game: string, move?: string): Promise<Hint> {
    return this.asks<Hint>('POST', `/api/games/${game}/hint`, { move });
  }

  async asks<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
    return (await (await this.visitor.asks(method, path, body)).json()) as T;
  }
}

async function learns(lone: Lone): Promise<void> {
  const { page, t } = lone;
  const game = t('common.game_doushouqi');
  await lone.link('lobby.learn').tap();
  const card = page.getByRole('region', { name: game, exact: true });
  await card.getByRole('link', { name: `${t('learn.start_begin')}: ${game}`, exact: true }).tap();
  const said = page.getByRole('main').getByRole('status');
  const [lesson] = DOUSHOUQI;
  for (const [at, step] of lesson?.steps.entries() ?? []) {
    await expect(page.getByText(t('learn.step', { n: at + 1, all: RIGHT.length }), { exact: true })).toBeVisible();
    await expect(page.getByText(t(`learn.task_doushouqi_${step.id}` as MessageKey))).toBeVisible();
    const [right = '', wrong] = [RIGHT[at], WRONG[at]];
    if (wrong) {
      const reason = step.banned?.reason ?? step.wrong?.[wrong] ?? step.otherwise ?? '';
      await lone.moves(wrong);
      await expect(said).toHaveText(`${t('learn.wrong')} ${t(`learn.why_${reason}` as MessageKey)}`);
    }
    if (at === 1) await lone.sees('lesson');
    // After a banned move the piece is still picked up.
    if (step.banned) await lone.square(right.slice(2)).tap();
    else await lone.moves(right);
    await expect(said).toHaveText(`${t('learn.right')} ${t(`learn.done_doushouqi_${step.id}` as MessageKey)}`);
    await lone.button('learn.next').tap();
  }
  await expect(said).toHaveText(t('learn.finished'));
  await lone.sees('lesson over');
}

/** From the choice of a game against the computer to the first position. */
async function begins(lone: Lone): Promise<string> {
  const { page, t } = lone;
  const dialog = page.getByRole('dialog', { name: t('lobby.computer'), exact: true });
  const choice = (name: string | RegExp) => page.getByRole('radio', { name, exact: true });
  await expect(dialog.getByRole('radio', { name: t('common.game_doushouqi'), exact: true })).toBeChecked();
  await expect(choice(new RegExp(`^1: ${t('lobby.level_1')}`))).toBeChecked();
  await expect(dialog.getByRole('checkbox', { name: t('lobby.practice'), exact: true })).toBeChecked();
  const first = choice(new RegExp(t('lobby.moves_first')));
  await dialog.locator('label', { has: first }).tap();
  await expect(first).toBeChecked();
  await lone.sees('choice');
  await lone.button('lobby.computer_go', dialog).tap();
  await page.waitForURL(/\/game\//);
  await lone.visitor.seesPly(0);
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

/** Wins: sends the lion across the river, then plays by the computer's hints, and errs once if there is an occasion. */
async function wins(lone: Lone, game: string): Promise<void> {
  const { page, t } = lone;
  const over = lone.region('game.result');
  const text = withMove(t, 'game.hint_move');
  const plan = [...PLAN];
  let erred = false;
  for (let ply = 0; !(await over.isVisible()); ply += 2) {
    const planned = plan.shift();
    let move = planned !== undefined && (await lone.legal(game)).includes(planned) ? planned : null;
    if (move === null) plan.length = 0;
    const bad: string | null = move === null && !erred ? await mistakeIn(lone, game) : null;
    move ??= bad;
    if (ply === 0 || move === null) {
      await lone.button('game.hint').tap();
      const hint = page.getByText(text);
      await hint.waitFor();
      if (ply === 0) await lone.sees('hint');
      move ??= text.exec(await hint.innerText())?.[1] ?? '';
    }
    await lone.moves(move);
    const [mistake, blunder] = [t('game.warning_mistake', { move }), t('game.warning_blunder', { move })];
    const warning = page.getByRole('group', { name: mistake }).or(page.getByRole('group', { name: blunder }));
    const answered = page.locator(`h1[data-ply="${ply + 2}"]`).or(over);
    // The page may warn of a move of the plan as well.
    await warning.or(answered).first().waitFor({ state: 'attached' });
    if (bad !== null) await lone.sees('warning');
    if (bad !== null || (await warning.isVisible())) await lone.button('game.play_anyway', warning).tap();
    await answered.first().waitFor({ state: 'attached' });
    erred ||= bad !== null;
  }
  await expect(over).toContainText(t('game.result_won'));
  await lone.sees('result');
}

/** When the game is as good as won, another move of the piece that moves best, which gives much of it away and not all; null if no move does. */
async function mistakeIn(lone: Lone, game: string): Promise<string | null> {
  const { best } = await lone.weighs(game);
  const others = best.chance < 700 ? [] : await lone.legal(game);
  for (const move of others.filter((other) => other !== best.move && other.startsWith(best.move.slice(0, 2)))) {
    const { asked } = await lone.weighs(game, move);
    if (asked && asked.loss >= LOSS && asked.chance >= 400) return move;
  }
  return null;
}

interface Review {
  complete: boolean;
  moves: { ply: number; judged: { verdict: string; best: string } | null }[];
}

/** Has the game reviewed, and finds the better moves: their own, or else the computer's. Whether anybody erred badly enough. */
async function understands(lone: Lone, game: string): Promise<boolean> {
  const { page, t } = lone;
  await lone.link('game.review', lone.region('game.result')).tap();
  const sheet = page.getByRole('group', { name: t('replay.review'), exact: true });
  await expect(sheet.getByRole('row', { name: new RegExp(`^${t('game.seat_blue')} \\d`) })).toBeVisible({
    timeout: PATIENCE_MS
  });
  await expect(sheet.getByText(t('replay.review_done'))).toHaveCount(1, { timeout: PATIENCE_MS });
  await lone.sees('review');
  const { moves } = await lone.asks<Review>('GET', `/api/games/${game}/review`);
  const bad = moves.filter(({ judged }) => ['mistake', 'blunder'].includes(judged?.verdict ?? ''));
  const first = bad.filter(({ ply }) => ply % 2 === 1);
  const [seat, mistakes] = first.length > 0 ? [t('game.seat_blue'), first] : [t('game.seat_red'), bad];
  if (mistakes.length === 0) return false;
  const learn = t('replay.learn_from', { seat, count: mistakes.length });
  await sheet.getByRole('button', { name: learn, exact: true }).tap();
  const lesson = lone.region('replay.learn');
  for (const [at, { judged }] of mistakes.entries()) {
    await expect(lesson).toContainText(`${at + 1}/${mistakes.length}`);
    await expect(lesson).toContainText(seat);
    if (at === 0) await lone.sees('mistake');
    const best = judged?.best ?? '';
    await lone.moves(best);
    await expect(lesson).toContainText(t('replay.learn_found', { move: best }));
    await lone.button('replay.learn_next', lesson).tap();
  }
  await expect(lesson).toContainText(t('replay.learn_done'));
  await lone.button('replay.learn_end', lesson).tap();
  return true;
}

async function solves(lone: Lone): Promise<void> {
  const { page, t } = lone;
  await lone.link('common.play', page.getByRole('navigation')).tap();
  const daily = lone.region('puzzles.daily');
  await lone.button('puzzles.solve', daily).tap();
  await expect(daily.getByRole('grid')).toBeVisible();
  const moves = await solutionOf(page.url(), await puzzleOfTheDay(page.url()));
  for (const [at, move] of moves.entries()) {
    await lone.moves(move, daily);
    const left = moves.length - at - 1;
    await expect(daily.getByRole('status')).toHaveText(
      left > 0 ? t('puzzles.right', { count: left }) : t('puzzles.end_solved')
    );
    if (at === 0 && left > 0) await lone.sees('puzzle');
  }
  await expect(daily.getByText(t('puzzles.done_today'))).toBeVisible();
  await lone.sees('puzzle solved');
  await page.reload();
  await expect(daily).toContainText(`${t('puzzles.done_today')} ${t('puzzles.days_in_a_row', { count: 1 })}`);
  await lone.button('puzzles.look', daily).tap();
  await expect(daily.getByRole('status')).toHaveText(t('puzzles.end_solved'));
}

async function findsItKept(lone: Lone, played: readonly string[]): Promise<void> {
  const { page, t } = lone;
  await page.goto('/');
  const daily = lone.region('puzzles.daily');
  await expect(daily).toContainText(t('puzzles.days_in_a_row', { count: 1 }));
  // Today's is another one.
  await expect(lone.button('puzzles.solve', daily)).toBeVisible();
  await lone.sees('next day');
  await lone.link('puzzles.all', daily).tap();
  const results = lone.region('puzzles.yours');
  await expect(results.getByRole('listitem')).toHaveCount(1);
  await expect(results.getByRole('listitem')).toContainText(t('puzzles.result_solved'));
  await lone.sees('puzzles');

  await lone.link('common.play', page.getByRole('navigation')).tap();
  await lone.link('lobby.learn').tap();
  const card = page.getByRole('region', { name: t('common.game_doushouqi'), exact: true });
  await expect(card.getByText(`✓ ${t('learn.complete')}`)).toBeVisible();
  await lone.sees('lessons');

  const { name } = await lone.asks<{ name: string }>('GET', '/api/me');
  await page.getByLabel(t('common.account_menu', { name })).tap();
  await lone.link('common.my_games', page.getByRole('banner')).tap();
  const games = lone.region('lobby.my_games_over').getByRole('listitem');
  await expect(games).toHaveText(played.map(() => new RegExp(t('people.result_won'))));
  await lone.sees('games');
  await games
    .first()
    .getByRole('link', { name: t('common.game_doushouqi') })
    .tap();
  await page.waitForURL(new RegExp(`/replay/${played.at(-1) ?? ''}`));
}

for (const locale of LANGUAGES) {
  test(`a lone visitor learns, wins, understands a mistake, solves a puzzle, and finds it kept the next day: ${LOCALES[locale]}`, async ({
    arrive,
    starts
  }) => {
    test.setTimeout(PATIENCE_MS);
    const offset = DAY - Date.now();
    // The moves of the story are weighed in the visitor's name, faster than anybody could ask.
    const quick = ['--computer-pause-ms', '0', '--message-burst', '0'];
    const args = (days: number) => [...quick, '--clock-offset-ms', String(offset + days * DAY_MS)];
    const program = await starts(...args(0));
    const lone = new Lone(await arrive('lone', { ...PHONE, locale: TAGS[locale] }, program), locale);
    await lone.page.goto('/');
    await expect(lone.region('puzzles.daily')).toBeVisible();
    await lone.sees('first page');
    await learns(lone);
    await lone.link('learn.play').tap();
    const games = [await begins(lone)];
    await wins(lone, games[0] ?? '');
    // A game without a mistake teaches nothing: then another is played.
    while (!(await understands(lone, games.at(-1) ?? ''))) {
      await lone.link('common.play', lone.page.getByRole('navigation')).tap();
      const computer = `${lone.t('lobby.computer')} ${lone.t('lobby.computer_hint')}`;
      await lone.page.getByRole('button', { name: computer, exact: true }).tap();
      games.push(await begins(lone));
      await wins(lone, games.at(-1) ?? '');
    }
    await solves(lone);

    await lone.page.goto('about:blank');
    await program.terminate();
    await program.again(args(1));
    await findsItKept(lone, games);
  });
}
