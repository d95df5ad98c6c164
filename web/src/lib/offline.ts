/** The client without a network: its service worker, and the answers of the server that this keeps. */

/** The cache of answers. They are those of one player. */
export const ANSWERS = 'answers';
/** Whose they are; in local storage, so that all pages of the browser know. */
const KEY = 'qiguan.answers_of';

/** Has the browser keep the client, once the page has come: the worker fetches all of it. */
export async function keepClient(): Promise<void> {
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) return;
  await new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve);
    else setTimeout(resolve);
  });
  // A browser that forbids workers has no client without a network.
  await navigator.serviceWorker.register('/service-worker.js').catch(() => undefined);
}

/** Throws all answers away. */
export async function forgetAnswers(): Promise<void> {
  if ('caches' in globalThis) await caches.delete(ANSWERS);
}

/** Answers belong to the player who was here when they came: another player, or nobody, finds none. */
export async function answersBelongTo(player: string | null): Promise<void> {
  try {
    if (localStorage.getItem(KEY) === (player ?? '')) return;
    localStorage.setItem(KEY, player ?? '');
    await forgetAnswers();
  } catch {
    // A browser that forbids storage keeps no answers either.
  }
}
