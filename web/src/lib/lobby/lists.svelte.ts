/** What the lobby shows besides what is sent to it: games that wait, games that run, one's own games, one's own ratings. */
import { api } from '$lib/protocol/http';
import type { GameSummary, GameView, LiveGame } from '$lib/protocol/protocol';
import { poll } from '$lib/ui/polling';

/** How often lists are asked for that nobody tells of. */
const EVERY_MS = 10_000;
/** More than so many games of one's own are looked at in the list of stored games. */
const OWN = 20;

/** Lists that are asked for again and again. */
export class Lists {
  /** Games that wait for a second player. */
  open: readonly GameSummary[] = $state.raw([]);
  /** Games that are being played, those of the strongest players first. */
  running: readonly LiveGame[] = $state.raw([]);
  /** The player’s games that are running or waiting. */
  own: readonly GameView[] = $state.raw([]);
  /** The player’s ratings by rule set. */
  ratings: Readonly<Record<string, number>> = $state.raw({});

  /** Follows the games of others; so many running ones are enough. What comes back ends it. */
  followOthers(enough: number): () => void {
    return poll(EVERY_MS, async (signal) => {
      const [waits, plays] = await Promise.all([
        api.games({ status: 'open', limit: 50 }, signal),
        api.live({ limit: enough }, signal)
      ]);
      this.open = waits.games;
      this.running = plays.games;
    });
  }

  /**
   * Follows the games of a player. They change by others' moves, which are sent only to watchers of the board, and who is
   * in the lobby does not.
   */
  followOwn(player: string): () => void {
    return poll(EVERY_MS, async (signal) => {
      const [plays, waits] = await Promise.all([
        api.games({ status: 'playing', player, limit: OWN }, signal),
        api.games({ status: 'open', player, limit: OWN }, signal)
      ]);
      // Challenges stand elsewhere.
      const games = [...plays.games, ...waits.games.filter((game) => !game.invited)];
      const views = await Promise.all(games.map((game) => api.game(game.game)));
      if (!signal.aborted) this.own = views;
    });
  }

  /** Nobody is here any more whose games these were. */
  forgetOwn(): void {
    this.own = [];
    this.ratings = {};
  }

  /** Asks for the ratings of a player. */
  async rate(player: string): Promise<void> {
    const profile = await api.player(player);
    this.ratings = Object.fromEntries(profile.ratings.map(({ ruleset, rating }) => [ruleset, rating.value]));
  }
}
