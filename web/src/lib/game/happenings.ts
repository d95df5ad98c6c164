import type { GameView, HoldReason, PlayedMove, Player, Seat } from '$lib/protocol/protocol';
import { other } from './rulesets';
import { stillStanding } from './takebacks';

/** What a change of a game means for its viewer. */
export type Happening =
  | { type: 'joined'; player: Player }
  | { type: 'setup_began' }
  | { type: 'setup_extended' }
  | { type: 'setup_ready'; seat: Seat }
  | { type: 'started' }
  /** `before` is the position before the move, where it is known: not after a gap. */
  | { type: 'moved'; seat: Seat; played: PlayedMove; before: string | null }
  | { type: 'check'; seat: Seat }
  | { type: 'draw_offered'; seat: Seat }
  | { type: 'draw_declined'; seat: Seat }
  | { type: 'takeback_requested'; seat: Seat }
  | { type: 'takeback_declined'; seat: Seat }
  /** `turn` is who moves now; null where others have been played in place of the moves that were taken back. */
  | { type: 'taken_back'; plies: number; turn: Seat | null }
  | { type: 'held'; reason: HoldReason }
  | { type: 'released' }
  | { type: 'away'; seat: Seat }
  | { type: 'back'; seat: Seat }
  | { type: 'ended' }
  | { type: 'rematch_offered'; seat: Seat }
  | { type: 'rematch_agreed'; next: string }
  | { type: 'chat'; seat: Seat; text: string };

/** What is heard. */
export type Heard = 'move' | 'capture' | 'check' | 'start' | 'end' | 'notify' | 'refused' | 'low';

const SEATS = ['first', 'second'] as const;

function begins(view: GameView): boolean {
  return view.status === 'playing' && (view.setup?.until ?? null) === null;
}

function* ofSetup(before: GameView, after: GameView): Generator<Happening> {
  const [was, is] = [before.setup?.until ?? null, after.setup?.until ?? null];
  if (is !== null && was === null) yield { type: 'setup_began' };
  else if (is !== null && was !== null && is > was) yield { type: 'setup_extended' };
  for (const seat of SEATS) {
    if (is !== null && after.setup?.ready[seat] && !before.setup?.ready[seat]) yield { type: 'setup_ready', seat };
  }
}

/** How many plies have been taken back. */
function plies(view: GameView): number {
  return view.takebacks?.plies ?? 0;
}

/** Whether neither a move was played nor one taken back. */
function sameMoves(before: GameView, after: GameView): boolean {
  return after.moves.length === before.moves.length && plies(after) === plies(before);
}

function* ofMoves(before: GameView, after: GameView): Generator<Happening> {
  const taken = plies(after) - plies(before);
  const kept = taken > 0 ? stillStanding(before.moves, after.moves) : before.moves.length;
  const played = after.moves.at(-1);
  const more = after.moves.length - kept;
  if (taken > 0) yield { type: 'taken_back', plies: taken, turn: more > 0 ? null : after.position.turn };
  if (!played || more <= 0) return;
  const seat = other(after.position.turn);
  yield { type: 'moved', seat, played, before: more === 1 && taken === 0 ? before.position.fen : null };
  if (after.position.check && after.status === 'playing') yield { type: 'check', seat: after.position.turn };
}

function* ofOffers(before: GameView, after: GameView): Generator<Happening> {
  const offer = after.draw_offer;
  if (offer && offer.seq !== before.draw_offer?.seq) yield { type: 'draw_offered', seat: offer.seat };
  const gone = before.draw_offer && !offer && after.status === 'playing' ? before.draw_offer : null;
  if (gone && sameMoves(before, after)) yield { type: 'draw_declined', seat: other(gone.seat) };
  const [asked, asks] = [before.takeback_request, after.takeback_request];
  if (asks && asks.seq !== asked?.seq) yield { type: 'takeback_requested', seat: asks.seat };
  if (asked && !asks && after.status === 'playing' && sameMoves(before, after)) {
    yield { type: 'takeback_declined', seat: other(asked.seat) };
  }
  const rematch = after.rematch_offer;
  if (rematch && rematch.seq !== before.rematch_offer?.seq) yield { type: 'rematch_offered', seat: rematch.seat };
  if (after.next && after.next !== before.next) yield { type: 'rematch_agreed', next: after.next };
}

function* ofClocks(before: GameView, after: GameView): Generator<Happening> {
  if (after.status !== 'playing') return;
  const [was, is] = [before.clocks.held, after.clocks.held];
  if (is && is.reason !== was?.reason) yield { type: 'held', reason: is.reason };
  else if (was && !is && was.reason !== 'start') yield { type: 'released' };
}

function* ofPresence(before: GameView, after: GameView): Generator<Happening> {
  if (after.status !== 'playing' || before.status !== 'playing') return;
  for (const seat of SEATS) {
    if (seat === after.you) continue;
    const [was, is] = [before.presence.players[seat].connected, after.presence.players[seat].connected];
    if (was !== is) yield { type: is ? 'back' : 'away', seat };
  }
}

/** What has happened between two views of a game: of one event, or of all that was missed. Nothing at the first look. */
export function happenings(before: GameView | null, after: GameView): Happening[] {
  if (!before) return [];
  const found: Happening[] = [];
  for (const seat of SEATS) {
    const player = after.players[seat];
    if (player && !before.players[seat] && seat !== after.you) found.push({ type: 'joined', player });
  }
  found.push(...ofSetup(before, after));
  if (begins(after) && !begins(before)) found.push({ type: 'started' });
  found.push(...ofMoves(before, after), ...ofClocks(before, after), ...ofOffers(before, after));
  found.push(...ofPresence(before, after));
  if (after.outcome && !before.outcome) found.push({ type: 'ended' });
  for (const { seat, text } of after.chat.slice(before.chat.length)) {
    if (seat !== after.you) found.push({ type: 'chat', seat, text });
  }
  return found;
}

/** What is heard of it: one sound, the most important. An own move was heard when it was made. */
export function heard(found: readonly Happening[], you: Seat | null): Heard | null {
  const has = (...types: Happening['type'][]) => found.some(({ type }) => types.includes(type));
  if (has('ended')) return 'end';
  if (has('started', 'setup_began')) return 'start';
  if (has('check')) return 'check';
  const moved = found.find((happening) => happening.type === 'moved');
  if (moved && moved.seat !== you) return moved.played.captured || moved.played.removed ? 'capture' : 'move';
  if (has('taken_back')) return 'move';
  const asked = /_offered$|_requested$|^chat$/;
  const offered = found.some((each) => 'seat' in each && asked.test(each.type) && each.seat !== you);
  return offered || has('joined', 'rematch_agreed') ? 'notify' : null;
}
