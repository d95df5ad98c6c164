/** Players whose names contain what is being typed. */
import { api } from '$lib/protocol/http';
import type { Player } from '$lib/protocol/protocol';

/** Who types on is not asked about in between. */
const PAUSE_MS = 200;

/** See the top of the file. To be made while a component is set up; ends with it. */
export class NameSearch {
  /** The players for what was typed last; null while nothing is known of it. */
  found: readonly Player[] | null = $state.raw(null);

  /** Asks a little after `typed` has changed. A search that fails finds nobody: the whole name still does. */
  constructor(typed: () => string) {
    $effect(() => {
      const part = typed().trim();
      this.found = null;
      if (part === '') return;
      const stop = new AbortController();
      const timer = setTimeout(() => {
        api.playersCalled(part, stop.signal).then(
          ({ players }) => {
            if (!stop.signal.aborted) this.found = players;
          },
          () => undefined
        );
      }, PAUSE_MS);
      return () => {
        clearTimeout(timer);
        stop.abort();
      };
    });
  }
}
