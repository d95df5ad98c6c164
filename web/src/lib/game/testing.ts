/** Games for tests. */
import type { EventFrame, GameView } from '$lib/protocol/protocol';

/** A game of Dou Shou Qi that has just begun, as a spectator sees it. */
export function aView(changes: Partial<GameView> = {}): GameView {
  return {
    game: 'g',
    cursor: { epoch: 1, seq: 4 },
    ruleset: 'doushouqi/booklet',
    options: {},
    time_control: { clock: { type: 'fischer', initial_ms: 300_000, increment_ms: 3_000 }, absence_ms: 42_000 },
    visibility: 'public',
    status: 'playing',
    players: { first: { id: 'a', name: 'Anna' }, second: { id: 'b', name: 'Ben' } },
    you: null,
    position: { fen: 'l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w - - 0 1', ply: 0, turn: 'first' },
    moves: [],
    clocks: { left: { first: { ms: 300_000 }, second: { ms: 300_000 } }, running: 'first', at: 1_000 },
    draw_offer: null,
    rematch_offer: null,
    next: null,
    outcome: null,
    chat: [],
    presence: {
      players: { first: { connected: true, claim_at: null }, second: { connected: true, claim_at: null } },
      spectators: 0
    },
    created_at: 0,
    server_time: 1_000,
    ...changes
  };
}

/** The next event of a game that takes moves back, as the server tells it. */
export function takenBack(view: GameView, plies: number, { legal }: { legal?: string[] } = {}): EventFrame {
  const ply = view.position.ply - plies;
  const turn = ply % 2 === 0 ? 'first' : 'second';
  return {
    game: view.game,
    seq: view.cursor.seq + 1,
    at: 3_000,
    event: { type: 'taken_back', seat: turn, plies, clocks: { ...view.clocks, running: turn, at: 3_000 } },
    position: { fen: view.position.fen, ply, turn, ...(legal && { legal }) }
  };
}

/** The next move of a game, as the server tells it. */
export function moved(
  view: GameView,
  move: string,
  { captured, legal }: { captured?: string; legal?: string[] } = {}
): EventFrame {
  const ply = view.position.ply + 1;
  const [seat, turn] = ply % 2 === 1 ? (['first', 'second'] as const) : (['second', 'first'] as const);
  return {
    game: view.game,
    seq: view.cursor.seq + 1,
    at: 2_000,
    event: {
      type: 'moved',
      seat,
      ply,
      move,
      ...(captured && { captured }),
      spent_ms: 500,
      lag_ms: 0,
      clocks: { ...view.clocks, running: turn, at: 2_000 }
    },
    position: { fen: view.position.fen, ply, turn, ...(legal && { legal }) }
  };
}
