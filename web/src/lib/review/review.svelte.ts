/** The review of a game that is over: asked for, and followed while it is made. */
import { turnIn } from '$lib/game/plies';
import { other } from '$lib/game/rulesets';
import type { BySeat, GameView, JudgedMove, MoveReview, Review, Seat, Verdict } from '$lib/protocol/protocol';

/** What a review needs of the server. */
export interface ReviewPort {
  /** Begins the review, or gets the one that there is. */
  begin(game: string, signal: AbortSignal): Promise<Review>;
  /** Waits until more moves than those are reviewed. */
  follow(game: string, after: number, signal: AbortSignal): Promise<Review>;
  /** Judges a move in place of the one that was played. */
  attempt(game: string, ply: number, move: string, signal: AbortSignal): Promise<JudgedMove>;
  /** The legal moves after so many plies. */
  legal(view: GameView, plies: number, signal: AbortSignal): Promise<readonly string[]>;
}

/** After its first move a review is asked for again when so many more are done. */
const STEP = 6;

/** Whose move a ply of a game is. */
export function moverOf({ start = '' }: Pick<GameView, 'start'>, ply: number): Seat {
  const begins = turnIn(start);
  return ply % 2 === 1 ? begins : other(begins);
}

/** See the top of the file. */
export class GameReview {
  /** As much as is done; null until it is asked for. */
  review: Review | null = $state.raw(null);
  /** Why it does not go on; null if it does. */
  fault: unknown = $state.raw(null);
  /** It is under way. */
  running = $state(false);
  readonly #leaving = new AbortController();

  constructor(
    readonly view: GameView,
    readonly port: ReviewPort
  ) {}

  /** Whether there is anything to review. */
  get possible(): boolean {
    return this.view.status === 'ended' && this.view.moves.length > 0;
  }

  /** Asks for the review, and follows it to its end. */
  async begin(): Promise<void> {
    if (this.running || !this.possible) return;
    const { signal } = this.#leaving;
    this.running = true;
    this.fault = null;
    try {
      let review = await this.port.begin(this.view.game, signal);
      this.review = review;
      while (!review.complete) {
        const after = review.reviewed === 0 ? 0 : review.reviewed + STEP - 1;
        review = await this.port.follow(this.view.game, after, signal);
        this.review = review;
      }
    } catch (fault) {
      if (!signal.aborted) this.fault = fault;
    } finally {
      this.running = false;
    }
  }

  /** Ends it for this page; the server finishes what it has begun. */
  close(): void {
    this.#leaving.abort();
  }

  /** What was found of each move by its ply. */
  readonly #byPly = $derived.by(() => new Map((this.review?.moves ?? []).map((reviewed) => [reviewed.ply, reviewed])));

  /** How good the move was that led to this ply: by what its player could know, and in Luzhanqi with all pieces open. */
  judged(ply: number): { known: MoveReview | null; open: MoveReview | null } {
    const reviewed = this.#byPly.get(ply);
    return { known: reviewed?.judged ?? null, open: reviewed?.open ?? null };
  }

  /** The verdict on each move, the first at 0; null until it is there. */
  readonly verdicts: readonly (Verdict | null)[] = $derived.by(() =>
    this.view.moves.map((played) => this.#byPly.get(played.ply)?.judged?.verdict ?? null)
  );

  /** The first seat's chance at each ply, the start first; null where it is not known. */
  readonly chances: readonly (number | null)[] = $derived.by(() => [
    this.review?.start ?? null,
    ...this.view.moves.map((played) => this.#byPly.get(played.ply)?.chance ?? null)
  ]);

  /** Whether something is left out because it stands in a running game. */
  readonly hasGaps: boolean = $derived.by(() => this.review?.complete === true && this.chances.includes(null));

  /** The plies at which each seat erred badly. */
  readonly mistakes: BySeat<readonly number[]> = $derived.by(() => {
    const bad = this.view.moves
      .map((played) => played.ply)
      .filter((ply) => ['mistake', 'blunder'].includes(this.#byPly.get(ply)?.judged?.verdict ?? ''));
    return {
      first: bad.filter((ply) => moverOf(this.view, ply) === 'first'),
      second: bad.filter((ply) => moverOf(this.view, ply) === 'second')
    };
  });
}
