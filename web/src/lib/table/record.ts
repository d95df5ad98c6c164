/** A game as text, to be kept or pasted somewhere. */
import { other } from '$lib/game/rulesets';
import type { BySeat, Clocks, EventFrame, GameView, Seat } from '$lib/protocol/protocol';

/** A line of a record's head. */
export type Head = readonly [name: string, value: string];

/** Moves in pairs with their numbers: `1. a3a4 g7g6`. */
export function numbered(moves: readonly string[]): string[] {
  const lines: string[] = [];
  for (let at = 0; at < moves.length; at += 2) {
    const pair = [moves[at], moves[at + 1]].filter((move) => move !== undefined);
    lines.push(`${at / 2 + 1}. ${pair.join(' ')}`);
  }
  return lines;
}

/** A plain text of a game: its head, an empty line, its moves, and how it ended. */
export function plainRecord(head: readonly Head[], moves: readonly string[], result: string): string {
  // Names come from others: a line stays a line.
  const line = (text: string) => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
  const top = head.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${line(value)}`);
  return `${[...top, '', ...numbered(moves), '', line(result)].join('\n')}\n`;
}

/** What a game can be taken away as. */
export type FileKind = 'json' | 'txt' | 'fen' | 'svg' | 'gif';

/** The name of a game's file: `qiguan-<game>.<kind>`. */
export function fileName(view: Pick<GameView, 'game'>, kind: FileKind): string {
  return `qiguan-${view.game.replaceAll(/[^\w-]/g, '')}.${kind}`;
}

/** The result as it stands under a record: `1-0`, `0-1`, `1/2-1/2`, or `*` for none. */
export function resultSign(view: Pick<GameView, 'outcome'>): string {
  if (!view.outcome || view.outcome.reason === 'aborted') return '*';
  if (view.outcome.winner === null) return '1/2-1/2';
  return view.outcome.winner === 'first' ? '1-0' : '0-1';
}

/** What both had left after each ply, by ply. */
export function clocksByPly(events: readonly EventFrame[]): Map<number, Clocks> {
  const clocks = new Map<number, Clocks>();
  let last = 0;
  for (const { event } of events) {
    if (event.type === 'started') clocks.set(0, event.clocks);
    if (event.type === 'moved') clocks.set((last = event.ply), event.clocks);
    if (event.type === 'taken_back') {
      for (const gone of [...clocks.keys()].filter((ply) => ply > last - event.plies)) clocks.delete(gone);
      clocks.set((last -= event.plies), event.clocks);
    }
    // At the end the loser's clock tells how it ended.
    if (event.type === 'ended') clocks.set(last, event.clocks);
  }
  return clocks;
}

/** Where a game was when this event of it happened, in plies. */
export function plyAt(events: readonly EventFrame[], seq: number): number {
  let ply = 0;
  for (const { seq: number, event } of events) {
    if (number > seq) continue;
    if (event.type === 'moved') ({ ply } = event);
    if (event.type === 'taken_back') ply -= event.plies;
  }
  return ply;
}

/** What both have spent in all up to a ply, in a game that one of them began. */
export function spentBy(moves: readonly { spent_ms: number }[], upTo: number, begins: Seat): BySeat<number> {
  const spent = { first: 0, second: 0 };
  moves.slice(0, upTo).forEach((move, at) => {
    spent[at % 2 === 0 ? begins : other(begins)] += move.spent_ms;
  });
  return spent;
}
