/** From whose perspective a stored game is seen, and the address that says so. Only Luzhanqi has anything to hide. */
import type { Perspective, GameView, Seat } from '$lib/protocol/protocol';

/** Everybody from whose perspective a game can be seen once it is over, the referee, who saw everything, first. */
export const PERSPECTIVES = ['referee', 'first', 'second', 'spectators'] as const satisfies readonly Perspective[];

/** Whether this game looks different to different people, and it may be seen how. */
export function hasSecrets(view: Pick<GameView, 'status' | 'setup'>): boolean {
  return view.status === 'ended' && (view.setup?.revealed ?? null) !== null;
}

/** The perspective that an address asks for; that of the referee needs no word. */
export function perspectiveOf(text: string | null): Perspective {
  return PERSPECTIVES.find((perspective) => perspective === text) ?? 'referee';
}

/** Where one is in a replay. */
export interface Place {
  game: string;
  ply: number;
  perspective: Perspective;
  /** Who is at the bottom of the board. */
  bottom: Seat;
  /** Whether the review is looked at. */
  reviewed?: boolean;
}

/** The address of a place in a replay, as short as it can be. */
export function addressOf({ game, ply, perspective, bottom, reviewed = false }: Place): string {
  const as = perspective === 'referee' ? '' : `&as=${perspective}`;
  return `/replay/${game}?ply=${ply}${as}${bottom === 'first' ? '' : '&view=second'}${reviewed ? '&review' : ''}`;
}

/** The address of what the server makes of a game: its list of FENs, a picture of a position, or a moving one of all, from the same perspective. */
export function fileAddress(
  game: string,
  file: 'fens' | 'position.svg' | 'animation.gif',
  perspective: Perspective,
  more: { ply?: number; turned?: boolean } = {}
): string {
  const query = new URLSearchParams();
  if (perspective !== 'referee') query.set('as', perspective);
  if (more.ply !== undefined) query.set('ply', String(more.ply));
  if (more.turned) query.set('turned', 'true');
  const text = query.toString();
  return `/api/games/${game}/${file}${text === '' ? '' : `?${text}`}`;
}
