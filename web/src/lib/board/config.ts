import type { BannedMove, BanReason, PlayedMove, Seat } from '$lib/protocol/protocol';

/** Who is removed by an attack. */
export type Removed = NonNullable<PlayedMove['removed']>;

/** The three games. */
export type GameKind = 'doushouqi' | 'luzhanqi' | 'xiangqi';

/** What a side's pieces look like; the rule sets name their sides after it. */
export type Colour = 'red' | 'blue' | 'black' | 'white';

/** Something drawn onto a board beside its pieces, for diagrams and hints. */
export interface BoardMark {
  kind: 'dot' | 'cross' | 'corner' | 'ring' | 'fill';
  square: string;
}

/** What a board is for. */
export type BoardMode =
  /** Moves are made on it. */
  | 'play'
  /** Own pieces are exchanged with each other (Luzhanqi's setup). */
  | 'setup';

/** A board's whole input. It knows no rules: what may be moved where arrives as data. */
export interface BoardConfig {
  /** The game. */
  game: GameKind;
  /** The position as FEN; only its board is read. `U` and `u` are pieces that are not known. */
  fen: string;
  /** The seat at the bottom. Default `first`. */
  orientation?: Seat;
  /** Whose pieces the user moves; null (the default) to look only. */
  movable?: Seat | null;
  /** The moves that can be played now, such as `a3a4`; empty for who is not on the move. */
  legal?: readonly string[];
  /** The moves that only a ban forbids. Their targets are marked, and trying one is reported. */
  banned?: readonly BannedMove[];
  /** Whether a move may be entered before it is one's turn. */
  premoves?: boolean;
  /** The move entered before one's turn. */
  premove?: string | null;
  /** A move that the server has not confirmed yet; it is drawn as made. */
  pending?: string | null;
  /** The move that led here. */
  lastMove?: string | null;
  /** Who was removed by that move, if it was an attack (Luzhanqi). */
  removed?: Removed | null;
  /** Whose eyes look at the board: the outcome of an attack is said in their words. Null for spectators. */
  viewer?: Seat | null;
  /** The seat whose general is in check (Xiangqi). */
  check?: Seat | null;
  /** Guesses at pieces that are not known, by square, as letters (Luzhanqi). */
  notes?: Readonly<Record<string, string>>;
  /** What is drawn beside the pieces. */
  marks?: readonly BoardMark[];
  /** What the board is for. Default `play`. */
  mode?: BoardMode;
  /** What the sides' pieces look like. Default: as usual for the game. */
  colours?: Readonly<Record<Seat, Colour>>;
  /** The strengths of the pieces in this rule set by upper-case letter (Dou Shou Qi). */
  strengths?: Readonly<Record<string, number>>;
  /** The name of the board for screen readers. Default: the name of the game. */
  label?: string;
  /** A move was made. */
  onmove?(move: string): void;
  /** A banned move was tried. */
  onbanned?(move: string, reason: BanReason): void;
  /** A move was tried that is not possible. */
  onrefused?(move: string): void;
  /** A move was entered before one's turn, or (null) taken back. */
  onpremove?(move: string | null): void;
  /** Two own pieces are to change places. */
  onexchange?(from: string, to: string): void;
  /** The user wants to note what a piece might be. */
  onnote?(square: string): void;
}

/** The colours of the sides where no rule set says otherwise. */
export const COLOURS: Readonly<Record<GameKind, Readonly<Record<Seat, Colour>>>> = {
  doushouqi: { first: 'blue', second: 'red' },
  luzhanqi: { first: 'red', second: 'blue' },
  xiangqi: { first: 'red', second: 'black' }
};
