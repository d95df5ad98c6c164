/** Through whose eyes a stored game is seen, and the address that says so. Only Luzhanqi has anything to hide. */
import type { EyesWord, GameView, Seat } from '$lib/protocol/protocol';

/** Everybody through whose eyes a game can be seen once it is over, the referee, who saw everything, first. */
export const EYES = ['referee', 'first', 'second', 'spectators'] as const satisfies readonly EyesWord[];

/** Whether this game looks different to different people, and it may be seen how. */
export function hasSecrets(view: Pick<GameView, 'status' | 'setup'>): boolean {
  return view.status === 'ended' && (view.setup?.revealed ?? null) !== null;
}

/** The eyes that an address asks for; the referee's need no word. */
export function eyesOf(text: string | null): EyesWord {
  return EYES.find((eyes) => eyes === text) ?? 'referee';
}

/** Where one is in a replay. */
export interface Place {
  game: string;
  ply: number;
  eyes: EyesWord;
  /** Who is at the bottom of the board. */
  bottom: Seat;
  /** Whether the review is looked at. */
  reviewed?: boolean;
}

/** The address of a place in a replay, as short as it can be. */
export function addressOf({ game, ply, eyes, bottom, reviewed = false }: Place): string {
  const as = eyes === 'referee' ? '' : `&as=${eyes}`;
  return `/replay/${game}?ply=${ply}${as}${bottom === 'first' ? '' : '&view=second'}${reviewed ? '&review' : ''}`;
}

/** The address of what the server makes of a game: its list of FENs, a picture of a position, or a moving one of all, through the same eyes. */
export function fileAddress(
  game: string,
  file: 'fens' | 'position.svg' | 'animation.gif',
  eyes: EyesWord,
  more: { ply?: number; turned?: boolean } = {}
): string {
  const query = new URLSearchParams();
  if (eyes !== 'referee') query.set('as', eyes);
  if (more.ply !== undefined) query.set('ply', String(more.ply));
  if (more.turned) query.set('turned', 'true');
  const text = query.toString();
  return `/api/games/${game}/${file}${text === '' ? '' : `?${text}`}`;
}
