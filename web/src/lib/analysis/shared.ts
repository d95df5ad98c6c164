/** An analysis on its way to other people: as the server takes it, and as it comes back, read as if a stranger had written it. */
import type { Analysis as Sent, SharedAnalysis } from '$lib/protocol/protocol';
import { read } from './kept';
import type { Moment } from './analysis.svelte';
import type { Subject } from './subject';
import { childBy, lineTo, nodeOf, ROOT } from './tree';

/** The largest body of a request, in bytes. */
const MOST_BYTES = 64 * 1024;
/** As many characters as a title has. */
export const MOST_IN_TITLE = 80;

/** Control characters but line breaks, and characters that hide or turn the text around them: the server takes none of them. */
const DISRUPTIVE = /[\p{Cc}\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(DISRUPTIVE, (one) => (one === '\n' ? one : one === '\t' ? ' ' : ''));
}

/** What is sent: each line from its beginning to its end, the main line first, so that most nodes need not name what they follow. */
export function sent(subject: Subject, { tree, at }: Moment, title: string): Sent {
  const order: number[] = [];
  const places = new Map<number, number>();
  const waiting = [ROOT];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    places.set(id, order.length);
    order.push(id);
    waiting.push(...nodeOf(tree, id).children.toReversed());
  }
  const nodes = order.map((id, place): Sent['nodes'][number] => {
    const { made, parent, comment, shapes } = nodeOf(tree, id);
    const after = places.get(parent) ?? 0;
    const text = plain(comment);
    return {
      ...(made && after !== place - 1 ? { after } : {}),
      ...made,
      ...(text ? { comment: text } : {}),
      ...(shapes.length > 0
        ? { shapes: shapes.map(({ from, to, colour }) => (to === null ? { from, colour } : { from, to, colour })) }
        : {})
    };
  });
  const called = plain(title).replaceAll('\n', ' ').trim();
  return {
    ruleset: subject.ruleset,
    ...(Object.keys(subject.options).length > 0 ? { options: subject.options } : {}),
    start: subject.start,
    ...(called ? { title: called } : {}),
    ...(subject.game === null ? {} : { game: subject.game }),
    at: places.get(at) ?? 0,
    nodes
  };
}

/** Whether it is small enough to be sent. */
export function fits(analysis: Sent): boolean {
  return new TextEncoder().encode(JSON.stringify(analysis)).length <= MOST_BYTES;
}

/** A shared analysis as the board shows it; null for what can't be shown. */
export function received({ content }: SharedAnalysis): { subject: Subject; moment: Moment } | null {
  const nodes = content.nodes.map(({ after, move, removed, comment, shapes }, place) => ({
    after: after ?? Math.max(0, place - 1),
    made: move === undefined ? null : { move, removed },
    comment: comment ?? '',
    shapes: (shapes ?? []).map(({ from, to, colour }) => ({ from, to: to ?? null, colour }))
  }));
  const moment = read(JSON.stringify({ address: '', at: content.at ?? 0, nodes }));
  if (!moment) return null;
  const { tree, at } = moment;
  const subject: Subject = {
    ruleset: content.ruleset,
    options: content.options ?? {},
    start: content.start,
    moves: [],
    ply: lineTo(tree, at).length,
    game: content.game ?? null
  };
  return { subject, moment: { tree, at } };
}

/** The analysis that was imported with a stored game, looked at where the game is; null for what can't be shown. */
export function receivedWith(subject: Subject, shared: SharedAnalysis): Moment | null {
  const tree = received(shared)?.moment.tree;
  if (!tree) return null;
  let at = ROOT;
  for (const { move, removed } of subject.moves.slice(0, subject.ply)) {
    const next = childBy(tree, at, move, removed);
    // An analysis holds less than the longest games.
    if (next === null) break;
    at = next;
  }
  return { tree, at };
}

/** The address under which this browser keeps what its visitor makes of a shared analysis. */
export function keptAddress(id: string): string {
  return `/analysis/${id}`;
}
