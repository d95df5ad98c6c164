/** Names by id, for lists that tell ids alone. Each is asked for once. */
import { SvelteMap } from 'svelte/reactivity';
import { api } from '$lib/protocol/http';

/** A player as far as is known: until the name has come, the beginning of the id stands in its place. */
export interface Named {
  id: string;
  name: string;
}

/** The names that one list needs. */
export class NameBook {
  readonly #names = new SvelteMap<string, string>();
  readonly #asked = new Set<string>();

  /** Sees to it that these names come. */
  want(ids: readonly string[]): void {
    for (const id of ids) {
      if (this.#asked.has(id)) continue;
      this.#asked.add(id);
      api.player(id).then(
        (profile) => this.#names.set(id, profile.name),
        // It stays an id, and is asked for again when the list comes again.
        () => this.#asked.delete(id)
      );
    }
  }

  /** The player with this id. */
  of(id: string): Named {
    return { id, name: this.#names.get(id) ?? `${id.slice(0, 8)}…` };
  }
}
