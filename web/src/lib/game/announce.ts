/** What screen readers announce of a game. Needs the spaces `game` and `board`. */
import { t } from '$lib/i18n/index.svelte';
import { parse } from '$lib/board/fen';
import { parts } from '$lib/board/geometry';
import { describeMove, pieceName } from '$lib/board/words';
import type { GameView, PlayedMove } from '$lib/protocol/protocol';
import { isolated } from '$lib/ui/bidi';
import type { Happening } from './happenings';
import { playerName } from './players';
import { outcomeText, seatName, spanText } from './words';
import { gameOf } from './rulesets';

/** The announcement of a move. */
export type ToldMove = Pick<PlayedMove, 'move'> & Partial<Pick<PlayedMove, 'captured' | 'removed'>>;

/** A move in words. `before` is the position that it was made in, where that is known. */
export type Describe = (ruleset: string, before: string | null, told: ToldMove) => string;

/** A move by its pieces, or by its squares where it is not known what stood there. */
export const inWords: Describe = (ruleset, before, { move, captured, removed }) =>
  before === null
    ? move.replace(/^([a-z]\d+)/, '$1 ')
    : describeMove(gameOf(ruleset), before, move, { captured, removed });

/** What became of an attack, for the player who attacked or was attacked; null for spectators, and where the piece is not known. */
export function attackText(happening: Happening & { type: 'moved' }, view: GameView): string | null {
  const { seat, played, before } = happening;
  const ends = parts(played.move);
  if (!played.removed || !view.you || before === null || !ends) return null;
  const attacks = seat === view.you;
  const game = gameOf(view.ruleset);
  const letter = parse(game, before).get(attacks ? ends.from : ends.to);
  if (letter === undefined) return null;
  const values = { piece: pieceName(game, letter), square: ends.to };
  return t(`game.${attacks ? 'attacked' : 'defended'}_${played.removed}`, values);
}

/** One happening in words; empty for what need not be said. */
export function tell(happening: Happening, view: GameView, describe: Describe): string {
  const name = (seat: 'first' | 'second') => seatName(view.ruleset, seat);
  switch (happening.type) {
    case 'joined':
      return t('game.say_joined', { name: isolated(playerName(happening.player)) });
    case 'started':
      return view.you ? t('game.say_started', { seat: name(view.you) }) : t('game.say_started_watch');
    case 'moved': {
      const { seat, played, before } = happening;
      const attack = attackText(happening, view);
      if (attack !== null) return attack;
      // The player who made the move needs no announcement.
      if (seat === view.you) return '';
      return t('game.say_moved', {
        seat: name(seat),
        move: describe(view.ruleset, before, played)
      });
    }
    case 'check':
      return t('game.say_check');
    case 'held':
      return t(`game.say_held_${happening.reason}`);
    case 'ended':
      return outcomeText(view);
    case 'rematch_agreed':
    case 'setup_began':
    case 'setup_extended':
    case 'released':
      return t(`game.say_${happening.type}`);
    case 'draw_offered':
    case 'draw_declined':
    case 'takeback_requested':
    case 'takeback_declined':
    case 'rematch_offered':
    case 'setup_ready':
      return happening.seat === view.you ? '' : t(`game.say_${happening.type}`, { seat: name(happening.seat) });
    case 'taken_back': {
      const { plies, turn } = happening;
      return turn ? t('game.say_taken_back_turn', { plies, seat: name(turn) }) : t('game.say_taken_back', { plies });
    }
    case 'away':
    case 'back':
      return t(`game.say_${happening.type}`, { seat: name(happening.seat) });
    case 'chat':
      return t('game.say_chat', { seat: name(happening.seat), text: isolated(happening.text) });
  }
}

/** All that has happened, as one text. */
export function tellAll(found: readonly Happening[], view: GameView, describe: Describe): string {
  return found
    .map((happening) => tell(happening, view, describe))
    .filter((text) => text !== '')
    .map((text) => (/[.!?。！？…]$/.test(text) ? text : `${text}.`))
    .join(' ');
}

/** That an own clock runs low. */
export function tellLow(ms: number): string {
  return t('game.say_low', { span: spanText(ms) });
}
