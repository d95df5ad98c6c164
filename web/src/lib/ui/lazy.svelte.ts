/** A part of a page that comes when it is wanted: what people see first does not wait for it. */
import { untrack } from 'svelte';
import { need } from '$lib/i18n/index.svelte';
import type { Space } from '$lib/i18n/spaces';

/** See the top of the file. To be made while a component is set up. */
export class Lazy<T> {
  /** The part; null until it is there. */
  part: T | null = $state.raw(null);

  /** Fetches it, with its texts, once it is wanted. If that fails, it is tried again when it is wanted again. */
  constructor(wanted: () => boolean, fetch: () => Promise<{ default: T }>, ...spaces: Space[]) {
    $effect(() => {
      if (!wanted() || this.part) return;
      // What texts there are changes by it.
      untrack(() => {
        void Promise.all([fetch(), need(...spaces)]).then(
          ([module]) => (this.part = module.default),
          () => undefined
        );
      });
    });
  }
}
