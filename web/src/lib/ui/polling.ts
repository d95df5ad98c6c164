/** Asks again and again while somebody looks. */

/**
 * Calls at once, and then every so many milliseconds after the last answer, but not while the page is hidden; when it is shown again, at once.
 * What comes back ends it.
 */
export function poll(every: number, ask: (signal: AbortSignal) => Promise<void>): () => void {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking = false;

  async function round(): Promise<void> {
    if (asking || stop.signal.aborted) return;
    clearTimeout(timer);
    if (document.hidden) return;
    asking = true;
    await ask(stop.signal).catch(() => {
      // The next round may have more luck; the connection reports that the server is away.
    });
    asking = false;
    if (!stop.signal.aborted) timer = setTimeout(() => void round(), every);
  }

  document.addEventListener('visibilitychange', () => void round(), { signal: stop.signal });
  void round();
  return () => {
    stop.abort();
    clearTimeout(timer);
  };
}
