/** Players as they are just now, asked for again every so often while somebody looks. */
import type { PlayerNow } from '$lib/protocol/openapi';
import { poll } from '$lib/ui/polling';

const EVERY_MS = 30_000;

/** See the top of the file. To be made while a component is set up; ends with it. */
export class PlayersNow {
  /** The last answer; null until there is one. */
  players: readonly PlayerNow[] | null = $state.raw(null);
  /** Why there is no answer to the last question; null while there is. */
  fault: unknown = $state.raw(null);

  /** Asks while `ask` returns a question, and again when what it reads has changed. */
  constructor(ask: () => (() => Promise<{ players: PlayerNow[] }>) | null) {
    $effect(() => {
      const question = ask();
      this.players = null;
      this.fault = null;
      if (!question) return;
      return poll(EVERY_MS, async (signal) => {
        try {
          const { players } = await question();
          if (signal.aborted) return;
          this.players = players;
          this.fault = null;
        } catch (fault) {
          if (!signal.aborted) this.fault = fault;
        }
      });
    });
  }
}
