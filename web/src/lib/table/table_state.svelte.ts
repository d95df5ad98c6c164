/** What is seen of a live game on this page: the ply that is looked at, which way the board is turned, a setup that is being made. */
import type { LiveGame } from '$lib/game/live.svelte';
import type { BySeat, GameView, Seat } from '$lib/protocol/protocol';
import { exchanged, faults, mirrored, type Fault } from './formation';
import { guesses } from './guesses';
import { lostBy, luzhanqiStart, plies, settingUp, startBefore, type Ply } from '$lib/game/plies';
import { gameOf, other, type GameKind } from '$lib/game/rulesets';

/** The pieces of each game, the most valuable first. */
export const ORDER: Readonly<Record<GameKind, string>> = {
  doushouqi: 'ELTPWDCR',
  luzhanqi: 'MGDBKJCLENXF',
  xiangqi: 'KRCNBAP'
};

/** Every ply of a game, as far as its viewer knows it; `known` are those from before the last event. */
export function allPlies(view: GameView, known: readonly Ply[] = []): Ply[] {
  const start =
    gameOf(view.ruleset) === 'luzhanqi'
      ? luzhanqiStart(view.setup, view.you)
      : (known[0]?.fen ?? startBefore(view.position.fen, view.moves));
  return plies(start, view.moves, known);
}

/** What each seat has captured up to a ply. */
export function captures(game: GameKind, all: readonly Ply[], upTo: number): BySeat<string[]> {
  const lost = (seat: Seat) => lostBy(all, upTo, seat, ORDER[game]);
  return { first: lost('second'), second: lost('first') };
}

/** See the top of the file. */
export class TableState {
  readonly #live: LiveGame;
  /** The ply that is looked back at; null for the game as it stands. */
  back = $state<number | null>(null);
  /** Whether the board is turned against the viewer's own side. */
  flipped = $state(false);
  /** A setup that is not legal yet, and so not sent to the server. */
  #draft = $state<string | null>(null);
  /** The plies as of the last event. */
  #known: readonly Ply[] = [];
  /** The hidden piece that is being guessed at, by its square. */
  guessing = $state<string | null>(null);
  /** The commitments when play began: what the server says at the end is compared with them. */
  #told: BySeat<string> | null = $state.raw(null);

  constructor(live: LiveGame) {
    this.#live = live;
  }

  readonly view = $derived.by(() => this.#live.view);
  readonly game: GameKind = $derived.by(() => (this.view ? gameOf(this.view.ruleset) : 'xiangqi'));
  readonly plies = $derived.by(() => (this.#known = this.view ? allPlies(this.view, this.#known) : []));
  readonly last = $derived.by(() => this.view?.moves.length ?? 0);
  readonly ply = $derived.by(() => (this.back === null ? this.last : Math.min(this.back, this.last)));
  readonly bottom: Seat = $derived.by(() => {
    const { view } = this;
    // A visitor who may join sees the board as it will be.
    const free = view?.status === 'open' && view.players.first !== null ? 'second' : 'first';
    const own = view?.you ?? free;
    return this.flipped ? other(own) : own;
  });
  readonly settingUp = $derived.by(() => this.view?.status === 'playing' && (this.view.setup?.until ?? null) !== null);
  readonly arranging = $derived.by(() => {
    const { view } = this;
    return this.settingUp && !!view?.you && view.setup?.ready[view.you] === false;
  });
  readonly setup = $derived.by(() => this.#draft ?? this.view?.setup?.yours ?? null);
  readonly wrong: Fault[] = $derived.by(() =>
    this.arranging && this.view?.you && this.setup !== null ? faults(this.view.you, this.setup) : []
  );
  readonly captured = $derived.by(() => captures(this.game, this.plies, this.ply));
  readonly told = $derived.by(() => this.#told);

  /** The board as it is shown. */
  readonly fen = $derived.by(() => {
    const { view } = this;
    if (!view) return '';
    if (this.settingUp && view.setup) return settingUp({ ...view.setup, yours: this.setup }, view.you);
    if (this.ply < this.last) return this.plies[this.ply]?.fen ?? view.position.fen;
    return view.position.fen;
  });
  readonly lastMove = $derived.by(() => this.plies[this.ply]?.move ?? null);
  readonly guesses = $derived.by(() =>
    this.view?.setup && !this.view.setup.revealed ? guesses(this.view.notes, this.view.moves.slice(0, this.ply)) : {}
  );

  /** Looks at a ply; at the last one the game goes on. */
  go(ply: number): void {
    this.back = ply >= this.last ? null : Math.max(0, ply);
  }

  /** Keeps the first commitments. */
  remember(commitments: BySeat<string> | null | undefined): void {
    this.#told ??= commitments ?? null;
  }

  /** Another setup on the board; a legal one is sent to the server. */
  arrange(setup: string | null): void {
    const seat = this.view?.you;
    if (!seat || setup === null || !this.arranging) return;
    this.#draft = setup;
    if (faults(seat, setup).length > 0) return;
    // Whether it is kept or refused, from then on what the server has is shown; the reason for a refusal is shown with all errors.
    void this.#live.setUp(setup).then(() => {
      if (this.#draft === setup) this.#draft = null;
    });
  }

  exchange(from: string, to: string): void {
    if (this.view?.you && this.setup !== null) this.arrange(exchanged(this.view.you, this.setup, from, to));
  }

  mirror(): void {
    if (this.setup !== null) this.arrange(mirrored(this.setup));
  }
}
