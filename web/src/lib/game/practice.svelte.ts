import type { Hint } from '$lib/protocol/protocol';
import { t } from '$lib/i18n/index.svelte';
import { faultText } from '$lib/ui/faults';
import { inWords } from './announce';
import type { Heard } from './happenings';
import type { LiveGame } from './live.svelte';

/** What practice needs of the world around it. */
export interface PracticePort {
  /** What the server thinks of the position, and of a move. */
  ask(game: string, move: string | null, signal: AbortSignal): Promise<Hint>;
  /** Whether the player wants to be warned. */
  warns(): boolean;
  /** Makes a sound. */
  play(sound: Heard): void;
  /** Calls once after so many milliseconds; what comes back takes that back. */
  after(ms: number, then: () => void): () => void;
}

/** A move that a player is warned of, and a better one. */
export interface Warning {
  move: string;
  verdict: 'mistake' | 'blunder';
  better: string;
}

/** A check that takes longer does not hold a move up. */
export const PATIENCE_MS = 3_000;

/** Something that is about one position: in the next one it is past. */
type About<T> = T & { here: string };

/** Help in a practice game: hints, and a question before a move that gives too much away. */
export class Practice {
  /** A hint is being worked out. */
  asking = $state(false);
  readonly #live: LiveGame;
  readonly #port: PracticePort;
  #hint: About<{ move: string }> | null = $state.raw(null);
  #warning: About<Warning> | null = $state.raw(null);
  #fault: About<{ fault: unknown }> | null = $state.raw(null);
  /** The move that is played whatever it is worth. */
  #insisted: string | null = null;
  readonly #leaving = new AbortController();

  constructor(live: LiveGame, port: PracticePort) {
    this.#live = live;
    this.#port = port;
    live.consider = (move) => this.#consider(move);
  }

  /** The position that is the viewer's to move in: the same after a takeback is another one. Null for any other. */
  readonly #here = $derived.by(() => {
    const { view } = this.#live;
    if (!view?.practice || view.status !== 'playing' || view.position.turn !== view.you) return null;
    return `${view.position.ply}/${view.takebacks?.count ?? 0}`;
  });

  /** The move that is shown on the board as a hint. */
  readonly hint = $derived.by(() => (this.#isHere(this.#hint) ? this.#hint.move : null));
  /** The move that the player is asked about. */
  readonly warning: Warning | null = $derived.by(() => (this.#isHere(this.#warning) ? this.#warning : null));
  /** Why there is no hint; null if nothing went wrong. */
  readonly fault: unknown = $derived.by(() => (this.#isHere(this.#fault) ? this.#fault.fault : null));

  /** Shows the best move, or hides it. */
  async toggleHint(): Promise<void> {
    const here = this.#here;
    if (this.hint !== null) this.#hint = null;
    else if (here !== null && !this.asking) {
      this.asking = true;
      this.#fault = null;
      try {
        const { best } = await this.#port.ask(this.#live.id, null, this.#leaving.signal);
        this.#advise(here, best.move);
      } catch (fault) {
        this.#fault = { here, fault };
        if (this.fault !== null) this.#live.tell(faultText(fault));
      } finally {
        this.asking = false;
      }
    }
  }

  /** Shows the move that is better than the one that is asked about. */
  showBetter(): void {
    if (this.#isHere(this.#warning)) this.#advise(this.#warning.here, this.#warning.better);
  }

  /** Plays the move that is asked about. */
  insist(): void {
    if (!this.warning) return;
    this.#insisted = this.warning.move;
    this.#live.moveBy(this.#insisted);
  }

  /** Asks no more about the last move, which is not played. */
  reconsider(): void {
    this.#warning = null;
  }

  /** The user has seen why there is no hint. */
  clearFault(): void {
    this.#fault = null;
  }

  /** Ends the help. A move that is being checked is sent. */
  close(): void {
    this.#leaving.abort();
  }

  #isHere<T>(about: About<T> | null): about is About<T> {
    return about !== null && about.here === this.#here;
  }

  #advise(here: string, move: string): void {
    this.#hint = { here, move };
    const { view } = this.#live;
    if (view && this.hint !== null) {
      this.#live.tell(t('game.say_hint', { move: inWords(view.ruleset, view.position.fen, { move }) }));
    }
  }

  /** Whether a move shall be sent; otherwise the player is asked. */
  #consider(move: string): true | Promise<boolean> {
    const here = this.#here;
    const known = move === this.#insisted || move === this.hint;
    [this.#insisted, this.#warning] = [null, null];
    return here === null || known || !this.#port.warns() || this.#check(here, move);
  }

  async #check(here: string, move: string): Promise<boolean> {
    const late = new AbortController();
    const cancel = this.#port.after(PATIENCE_MS, () => late.abort());
    try {
      const signal = AbortSignal.any([late.signal, this.#leaving.signal]);
      const { asked, best } = await this.#port.ask(this.#live.id, move, signal);
      const { verdict } = asked ?? {};
      if (verdict !== 'mistake' && verdict !== 'blunder') return true;
      this.#warning = { here, move, verdict, better: best.move };
      if (this.warning) this.#port.play('notify');
      return false;
    } catch {
      // Without advice there is no warning.
      return true;
    } finally {
      cancel();
    }
  }
}
