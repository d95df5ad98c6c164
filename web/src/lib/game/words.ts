/**
 * The words of games that all pages share: rule sets, seats, time controls, outcomes. They stand in the space `game`, and the
 * games' names in `common`: a page that uses them says `need('game')`.
 */
import { has, locale, t, type Values } from '$lib/i18n/index.svelte';
import type { EndReason, GameView, Outcome, Seat, SpectatorDelay, TimeControl } from '$lib/protocol/protocol';
import { colourOf, gameOf, other } from './rulesets';

/** The name of a rule set's game. */
export function gameName(ruleset: string): string {
  return t(`common.game_${gameOf(ruleset)}`);
}

/** The name of a rule set without its game's. */
export function rulesetName(ruleset: string): string {
  const key = `game.ruleset_${ruleset.replace('/', '_')}`;
  return has(key) ? t(key) : (ruleset.split('/')[1] ?? ruleset);
}

/** The names of a game and its rule set together, for lists of several games. */
export function rulesetTitle(ruleset: string): string {
  return t('game.ruleset_title', { game: gameName(ruleset), set: rulesetName(ruleset) });
}

/** The name of a seat: "Red". */
export function seatName(ruleset: string, seat: Seat): string {
  return t(`game.seat_${colourOf(ruleset, seat)}`);
}

/** What words need to know of a game's end. */
export interface Ending {
  ruleset: string;
  outcome: Outcome | null;
  you?: GameView['you'];
}

/** How a game ended, as a sentence about the seats: "Red won by checkmate". Empty while it goes on. */
export function outcomeText({ ruleset, outcome }: Ending): string {
  if (!outcome) return '';
  const { winner, reason } = outcome;
  const values: Values = winner
    ? { winner: seatName(ruleset, winner), loser: seatName(ruleset, other(winner)) }
    : { winner: '', loser: '' };
  const key = reason === 'adjudication' && !winner ? 'game.outcome_adjudication_draw' : `game.outcome_${reason}`;
  // A server that is newer than this page may know more ways to end.
  return has(key) ? t(key, values) : resultText({ ruleset, outcome });
}

/** The result alone: for a player "You won", for others "Red won"; "Draw", "Aborted". Empty while it goes on. */
export function resultText({ ruleset, outcome, you = null }: Ending): string {
  if (!outcome) return '';
  if (outcome.reason === 'aborted') return t('game.result_aborted');
  if (!outcome.winner) return t('game.result_draw');
  if (you) return t(outcome.winner === you ? 'game.result_won' : 'game.result_lost');
  return t('game.result_seat', { winner: seatName(ruleset, outcome.winner) });
}

/** Why a game ended, in a word or two: "checkmate". Empty for a reason that this page does not know. */
export function reasonText(reason: EndReason): string {
  const key = `game.reason_${reason}`;
  return has(key) ? t(key) : '';
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000]
] as const;

/** A span in its one or two largest units: "3 min", "1 min 30 s", "2 days". */
export function spanText(ms: number): string {
  const parts: string[] = [];
  let left = Math.max(0, ms);
  for (const [unit, span] of UNITS) {
    const count = unit === 'second' ? Math.round(left / 100) / 10 : Math.floor(left / span);
    if (count === 0 || parts.length === 2) continue;
    left -= count * span;
    const unitDisplay = unit === 'day' ? 'long' : 'short';
    parts.push(new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay }).format(count));
  }
  const none = new Intl.NumberFormat(locale(), { style: 'unit', unit: 'second', unitDisplay: 'short' });
  return parts.length > 0 ? parts.join(' ') : none.format(0);
}

/** A number of minutes as short as players write it: 5, ½, 1.5. */
function minutes(ms: number): string {
  const value = ms / 60_000;
  if (value === 0.25) return '¼';
  if (value === 0.5) return '½';
  if (value === 0.75) return '¾';
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: 2 }).format(value);
}

/** A time control as short as players write it: "5+3", "10 min + 3 × 30 s", "2 days a move", "no clock". */
export function timeText({ clock }: Pick<TimeControl, 'clock'>): string {
  switch (clock.type) {
    case 'fischer':
      return `${minutes(clock.initial_ms)}+${clock.increment_ms / 1000}`;
    case 'byoyomi':
      return t('game.time_byoyomi', {
        main: spanText(clock.main_ms),
        periods: clock.periods,
        period: spanText(clock.period_ms)
      });
    case 'per_move':
      return t('game.time_per_move', { span: spanText(clock.move_ms) });
    case 'none':
      return t('game.time_none');
  }
}

/** A time control in whole words, for screen readers and explanations: "5 min + 3 s per move". */
export function timeWords({ clock }: Pick<TimeControl, 'clock'>): string {
  if (clock.type !== 'fischer') return timeText({ clock });
  const initial = spanText(clock.initial_ms);
  if (clock.increment_ms === 0) return initial;
  return t('game.time_fischer', { initial, increment: spanText(clock.increment_ms) });
}

/** By how much spectators see a game later: "3 moves later". */
export function delayText(delay: SpectatorDelay): string {
  return 'plies' in delay
    ? t('game.delay_plies', { count: delay.plies })
    : t('game.delay_minutes', { count: delay.minutes });
}
