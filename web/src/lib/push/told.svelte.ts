/** What every page does about notifications in a browser that shows them. It is loaded when the page has come. */
import { page } from '$app/state';
import { session } from '$lib/session.svelte';
import { renew } from './device';

/** Begins. It goes on for as long as the page. */
export function start(): void {
  // The device of the player who is here is still told of what it was switched on for.
  $effect.root(() => {
    $effect(() => {
      if (session.me) void renew(session.me.id);
    });
    $effect(() => void seesGame(page.url.pathname));
  });
  document.addEventListener('visibilitychange', () => void seesGame(page.url.pathname));
}

/** Takes away what was notified of a game: its player sees it. */
async function seesGame(path: string): Promise<void> {
  const [, game] = /^\/game\/([^/]+)$/.exec(path) ?? [];
  if (game === undefined || document.visibilityState !== 'visible') return;
  const registration = await navigator.serviceWorker.getRegistration();
  for (const notice of (await registration?.getNotifications({ tag: game })) ?? []) notice.close();
}
