/** The connection that has come back: what could not be asked while it was gone can be asked again. */
import { untrack } from 'svelte';
import { session } from '$lib/session.svelte';

/** Calls each time the connection is there again after it was gone. To be called while a component is set up; ends with it. */
export function whenBack(then: () => void): void {
  let gone = false;
  $effect(() => {
    const { kind } = session.link;
    if (kind === 'waiting') gone = true;
    if (kind !== 'online' || !gone) return;
    gone = false;
    untrack(then);
  });
}
