/** A player’s running games, for every page: whose turn it is, and how much time is left. The server tells what changes. */
import { page } from '$app/state';
import type { OwnGame } from '$lib/protocol/protocol';
import { session } from '$lib/session.svelte';
import { settings } from '$lib/settings.svelte';
import { play } from '$lib/sound';
import { afterAnswer, beginsToWait, waiting, withGame, type OwnGames } from './turns';

const NO_GAMES: OwnGames = new Map();
/** How long a phone vibrates, in milliseconds. */
const VIBRATE_MS = 200;

/** Whether the page shows this game. */
function looksAt(game: string): boolean {
  return page.url.pathname === `/game/${game}`;
}

/** See the top of the file. Use `turns`. */
class Turns {
  #games: OwnGames = $state.raw(NO_GAMES);
  /** What has been told since the list was asked for; null while no list is on its way. */
  #since: OwnGames | null = null;
  /** The game that has come to wait for the player last, for the live region. */
  called: OwnGame | null = $state.raw(null);

  /** The games that wait for the player, the most urgent first. */
  readonly waiting: readonly OwnGame[] = $derived.by(() => waiting(this.#games, session.connection.serverNow()));

  /** Those of them that the page does not show. */
  readonly elsewhere: readonly OwnGame[] = $derived(this.waiting.filter(({ game }) => !looksAt(game)));

  /** Follows the games of the player who is here. What comes back ends it. */
  start(): () => void {
    const { connection } = session;
    /** Whose games were asked for on this connection, and whose games these are. */
    let asked: string | null = null;
    let owner: string | null = null;
    const ends = [
      session.onNotice((notice) => {
        if (notice.type === 'own_game') this.#told(notice.game);
      }),
      connection.onChange(() => {
        // Without a connection the games go on, and so do the clocks as they were last known.
        if (connection.state.kind !== 'online') {
          asked = null;
          return;
        }
        const player = connection.player?.id ?? null;
        if (player !== owner) this.#games = NO_GAMES;
        owner = player;
        if (player === asked) return;
        asked = player;
        if (player !== null) void this.#ask();
      })
    ];
    return () => {
      for (const end of ends) end();
    };
  }

  async #ask(): Promise<void> {
    this.#since = NO_GAMES;
    try {
      const { games } = await session.connection.request('own_games', {});
      this.#games = afterAnswer(games, this.#since);
    } catch {
      // The next connection asks again; until then notices tell what changes.
    } finally {
      this.#since = null;
    }
  }

  #told(game: OwnGame): void {
    const before = this.#games.get(game.game);
    if (this.#since) this.#since = withGame(this.#since, game);
    this.#games = withGame(this.#games, game);
    if (looksAt(game.game) || !beginsToWait(before, game)) return;
    this.called = game;
    play('notify');
    // Browsers refuse it, with an error in their log, before the page has been touched.
    if (settings.sound && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(VIBRATE_MS);
  }
}

/** The running games of this page’s player. */
export const turns = new Turns();
