/** The games and their rule sets, for pages that do without them until they have come. */
import { api } from '$lib/protocol/http';
import type { Catalog } from '$lib/protocol/protocol';
import { whenBack } from '$lib/ui/when_back.svelte';

/** Asks for the catalog, and again when a lost connection is back; null until it has come. To be called while a component is set up. */
export function knownCatalog(): { readonly current: Catalog | null } {
  let catalog = $state.raw<Catalog | null>(null);

  function ask(): void {
    void api.catalog().then(
      (whole) => (catalog = whole),
      () => {
        // What needs it can't be chosen until the connection is back, or until the next visit.
      }
    );
  }

  $effect(ask);
  whenBack(() => {
    if (!catalog) ask();
  });
  return {
    get current() {
      return catalog;
    }
  };
}
