import type {
  Cursor,
  EventFrame,
  GameEvent,
  GameView,
  LiveState,
  PlayedMove,
  PlayerId,
  SetupView,
  SpectatorLine
} from '$lib/protocol/protocol';

/** A setup of which nothing is known but that it has begun. */
const BLANK: SetupView = {
  until: null,
  ready: { first: false, second: false },
  yours: null,
  commitments: null,
  revealed: null
};

/** What an event changes in a view, but for its number and position. `me` is who looks. */
function changes(view: GameView, { at, seq, event }: EventFrame, me: PlayerId | null): Partial<GameView> {
  switch (event.type) {
    case 'created':
    case 'joined':
      return {
        players: { ...view.players, [event.seat]: event.player },
        ...(event.player.id === me ? { you: event.seat } : {})
      };
    case 'setup_began':
      return {
        status: 'playing',
        setup: { ...BLANK, until: event.until, yours: event.setup ?? null }
      };
    case 'setup_extended':
      return { setup: { ...(view.setup ?? BLANK), until: event.until } };
    case 'setup_ready': {
      const setup = view.setup ?? BLANK;
      return { setup: { ...setup, ready: { ...setup.ready, [event.seat]: true } } };
    }
    case 'started': {
      const commitments = event.commitments ?? null;
      const setup = view.setup && { ...view.setup, until: null, commitments };
      return { status: 'playing', clocks: event.clocks, ...(setup ? { setup } : {}) };
    }
    case 'moved': {
      const { ply, move, captured, spent_ms, removed, met } = event;
      const did = { ...(captured && { captured }), ...(removed && { removed }), ...(met && { met }) };
      const played: PlayedMove = { ply, move, ...did, spent_ms };
      const stands = view.draw_offer?.seat === event.seat;
      return {
        moves: [...view.moves, played],
        clocks: event.clocks,
        draw_offer: stands ? view.draw_offer : null
      };
    }
    case 'draw_offered':
      return { draw_offer: { seat: event.seat, seq } };
    case 'draw_declined':
      return { draw_offer: null };
    case 'takeback_requested':
      return { takeback_request: { seat: event.seat, seq } };
    case 'takeback_declined':
      return {};
    case 'taken_back': {
      const { count, plies } = view.takebacks ?? { count: 0, plies: 0 };
      return {
        moves: view.moves.slice(0, Math.max(0, view.moves.length - event.plies)),
        clocks: event.clocks,
        draw_offer: null,
        takebacks: { count: count + 1, plies: plies + event.plies }
      };
    }
    case 'clocks_held':
    case 'clocks_released':
      return { clocks: event.clocks };
    case 'ended':
      return { status: 'ended', outcome: event.outcome, clocks: event.clocks, draw_offer: null };
    case 'revealed':
      return { setup: { ...(view.setup ?? BLANK), until: null, revealed: event.setups } };
    case 'rematch_offered':
      return { rematch_offer: { seat: event.seat, seq } };
    case 'rematch_agreed':
      return { rematch_offer: null, next: event.next };
    case 'chat':
      return { chat: [...view.chat, { seat: event.seat, at, text: event.text }] };
    case 'withheld':
      return {};
  }
}

/** What answers a request to take moves back, or makes it void. */
const ENDS_REQUEST: ReadonlySet<GameEvent['type']> = new Set(['moved', 'takeback_declined', 'taken_back', 'ended']);

/** The game after a live event. `me` is who looks: taking a seat changes what one is. */
export function fold(view: GameView, frame: EventFrame, me: PlayerId | null = null): GameView {
  const after = {
    ...view,
    ...changes(view, frame, me),
    ...(frame.position ? { position: frame.position } : {}),
    cursor: { ...view.cursor, seq: frame.seq }
  };
  if (ENDS_REQUEST.has(frame.event.type)) delete after.takeback_request;
  return after;
}

/** As many lines of spectators are kept in a view; older ones are asked for. */
const LINES = 300;

/** The game after spectators have said something. Lines that are known already come again with a snapshot. */
export function withLines(view: GameView, lines: readonly SpectatorLine[]): GameView {
  const known = view.spectator_chat ?? [];
  const last = known.at(-1)?.number ?? 0;
  const fresh = lines.filter(({ number }) => number > last);
  return fresh.length === 0 ? view : { ...view, spectator_chat: [...known, ...fresh].slice(-LINES) };
}

/** The game after everything that was missed. */
export function catchUp(
  view: GameView,
  events: readonly EventFrame[],
  live: LiveState,
  cursor: Cursor,
  me: PlayerId | null = null
): GameView {
  const { position, clocks, presence, server_time, ratings, setup, notes, spectator_chat } = live;
  return {
    ...events.reduce((view, frame) => fold(view, frame, me), view),
    cursor,
    position,
    clocks,
    presence,
    server_time,
    ...(ratings && { ratings }),
    ...(setup && { setup }),
    ...(notes !== undefined && { notes }),
    // In place of what was known.
    ...(spectator_chat && { spectator_chat })
  };
}
