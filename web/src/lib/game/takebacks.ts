/** Moves that are taken back: when they can be, and what has to stand. It knows no rules but what the protocol says of takebacks. */
import { LIMITS, type GameEvent, type GameView, type PlayedMove, type Seat } from '$lib/protocol/protocol';

/** Whether moves can be taken back in a game: in casual ones between people, and in practice games. */
export function knowsTakebacks(view: GameView): boolean {
  if (view.rated || view.status !== 'playing') return false;
  const { first, second } = view.players;
  return view.practice === true || (first?.computer ?? second?.computer) === undefined;
}

/** Whether a player can ask for their last move now. The server decides; this is for a button that does not promise too much. */
export function canAskBack(view: GameView, you: Seat): boolean {
  if (!knowsTakebacks(view) || view.takeback_request) return false;
  if ((view.takebacks?.count ?? 0) >= LIMITS.TAKEBACKS) return false;
  const plies = view.position.turn === you ? 2 : 1;
  // An attack has told both what they did not know (Luzhanqi).
  return view.moves.length >= plies && !view.moves.slice(-plies).some((played) => played.removed);
}

/** How many of the moves from before still stand. */
export function stillStanding(before: readonly PlayedMove[], after: readonly PlayedMove[]): number {
  const differs = before.findIndex(({ move, spent_ms }, at) => {
    const now = after[at];
    return now?.move !== move || now.spent_ms !== spent_ms;
  });
  return differs < 0 ? before.length : differs;
}

/** Whether these events, after these moves, take an attack back: in Luzhanqi the rules forbid it. */
export function attackTakenBack(moves: readonly PlayedMove[], events: readonly GameEvent[]): boolean {
  const attacks = moves.map((played) => played.removed !== undefined);
  for (const event of events) {
    if (event.type === 'moved') attacks.push(event.removed !== undefined);
    if (event.type === 'taken_back' && attacks.splice(Math.max(0, attacks.length - event.plies)).includes(true))
      return true;
  }
  return false;
}
