/** One's visit to the lobby: what stands there, what one does there, and what one looks for while other pages are open. */
import { goto } from '$app/navigation';
import type { CreateGame, Lobby, LobbyNoticeKind } from '$lib/protocol/protocol';
import { session } from '$lib/session.svelte';
import { EMPTY, fold, ownPlace, withOwnPool, withoutSeek } from './fold';
import { looking } from './looking.svelte';
import type { Offer } from './offers';
import {
  keep,
  missing,
  onCancelledElsewhere,
  recalled,
  tellOtherTabs,
  type PoolName,
  type SeekTerms,
  type Search
} from './wanted';

/** The name of a pool as one text. */
export function poolKey({ ruleset, time, rated = false }: PoolName): string {
  return `${ruleset} ${time} ${rated}`;
}

/** The lobby as it stands, and changes. */
export class Visit {
  /** What stands in the lobby; nothing until it has been entered. */
  lobby: Lobby = $state.raw(EMPTY);
  /** Whether the lobby has been entered. */
  entered = $state(false);
  /** What was refused last. */
  fault: unknown = $state.raw(null);
  /** What has been asked and is not answered yet, by the key of what it is about. */
  busy: ReadonlySet<string> = $state.raw(new Set<string>());
  /** What is looked for, until a game begins or it is cancelled. */
  wanted: readonly Search[] = $state.raw(recalled());
  /** Searches that have ended against one's will since somebody looked. */
  ended: readonly { id: string; why: unknown }[] = $state.raw([]);

  /** How many parts of the page are in the lobby. */
  #looking = 0;
  #leave: (() => void) | null = null;
  /** How many games searches have led to. */
  #found = 0;

  /** Enters the lobby; what comes back leaves it. */
  enter(): () => void {
    this.#looking += 1;
    this.#leave ??= session.connection.lobby({
      snapshot: (lobby) => {
        this.lobby = lobby;
        this.entered = true;
        for (const wanted of missing(this.wanted, lobby)) void this.#again(wanted);
      },
      notice: (notice) => this.#changed(notice),
      refused: (error) => {
        this.fault = error;
      }
    });
    let here = true;
    return () => {
      if (!here) return;
      here = false;
      this.#looking -= 1;
      if (this.#looking > 0) return;
      this.#leave?.();
      this.#leave = null;
      this.lobby = EMPTY;
      this.entered = false;
    };
  }

  #changed(notice: LobbyNoticeKind): void {
    this.lobby = fold(this.lobby, notice, session.me?.id ?? null);
    if (notice.type === 'paired') {
      this.#found += 1;
      this.#want([]);
    } else if (notice.type === 'seek_ended') {
      this.fault = notice.error;
      this.#forget(notice.seek);
    }
  }

  /** Asks for what was looked for once more: the server has lost it. */
  async #again(wanted: Search): Promise<void> {
    this.#forget(wanted.id);
    // A player who has signed out looks for nothing any more.
    if (!session.connection.player) return;
    try {
      if ('pool' in wanted) await this.#join(wanted.pool);
      else await this.#offer(wanted.seek);
    } catch (why) {
      this.ended = [...this.ended, { id: wanted.id, why }];
    }
  }

  /** Keeps what is looked for as of now: the page may be loaded again. */
  remember(): void {
    keep(this.wanted);
  }

  /** The visitor has seen that a search has ended. */
  dismiss(id: string): void {
    this.ended = this.ended.filter((other) => other.id !== id);
  }

  /** What is cancelled in another tab of this browser is not asked for again here. What comes back ends that. */
  followOtherTabs(): () => void {
    return onCancelledElsewhere((id) => {
      this.lobby = withoutSeek(this.lobby, id);
      this.#forget(id);
    });
  }

  #want(wanted: readonly Search[]): void {
    this.wanted = wanted;
    if (wanted.length > 0) looking.begun = true;
    keep(wanted);
  }

  #forget(id: string): void {
    this.#want(this.wanted.filter((other) => other.id !== id));
  }

  /** Does one thing about one subject at a time; what goes wrong is to be seen. Whether it went well. */
  async act(about: string, what: () => Promise<void>): Promise<boolean> {
    if (this.busy.has(about)) return false;
    this.busy = new Set([...this.busy, about]);
    this.fault = null;
    try {
      await what();
      return true;
    } catch (error) {
      this.fault = error;
      return false;
    } finally {
      this.busy = new Set([...this.busy].filter((other) => other !== about));
    }
  }

  /** Waits in a pool, or leaves it. */
  togglePool(pool: PoolName): Promise<boolean> {
    const place = ownPlace(this.lobby, pool);
    return place ? this.cancel(place.id) : this.act(poolKey(pool), () => this.#join(pool));
  }

  /** Waits in several pools at once; the first that finds an opponent ends the search in all. */
  joinAll(pools: readonly PoolName[]): Promise<boolean> {
    return this.act('pools', async () => {
      const before = this.#found;
      for (const pool of pools) {
        if (ownPlace(this.lobby, pool)) continue;
        await this.#join(pool);
        if (this.#found === before) continue;
        // A game was found while this was asked for.
        await session.connection.insist('leave_pools', {});
        this.lobby = { ...this.lobby, own_pools: [] };
        this.#want([]);
        return;
      }
    });
  }

  /** Takes back an own seek, or leaves a pool. */
  cancel(id: string): Promise<boolean> {
    return this.act(id, async () => {
      await session.connection.insist('cancel_seek', { seek: id });
      this.lobby = withoutSeek(this.lobby, id);
      this.#forget(id);
      tellOtherTabs(id);
    });
  }

  /** Tells everybody what one would like to play. */
  seek(data: SeekTerms): Promise<boolean> {
    return this.act('seek', () => this.#offer(data));
  }

  /** Opens a game, for a named player or by link, and goes there. */
  create(data: Omit<CreateGame, 'command'>): Promise<boolean> {
    return this.act('create', async () => {
      await session.ensurePlayer();
      const { game } = await session.connection.command('create_game', data);
      await goto(`/game/${game}`);
    });
  }

  /** Opens a game, plays its first move, and goes there. */
  begin(data: Omit<CreateGame, 'command'>, move: string): Promise<boolean> {
    return this.act('create', async () => {
      await session.ensurePlayer();
      const { game } = await session.connection.command('create_game', data);
      await session.connection.command('move', { game, ply: 1, move });
      await goto(`/game/${game}`);
    });
  }

  /** Takes an offer, and goes to the game. */
  take(offer: Offer): Promise<boolean> {
    return this.act(offer.id, async () => {
      await session.ensurePlayer();
      if (offer.kind === 'seek') {
        const { game } = await session.connection.command('accept_seek', { seek: offer.id });
        await goto(`/game/${game}`);
      } else {
        await this.#sitDown(offer.id);
      }
    });
  }

  /** Accepts a challenge, and goes to the game. */
  accept(game: string): Promise<boolean> {
    return this.act(game, () => this.#sitDown(game));
  }

  /** Declines a challenge, or takes back an own game that nobody has joined. */
  close(game: string, own: boolean): Promise<boolean> {
    return this.act(game, async () => {
      await session.connection.command(own ? 'abort' : 'decline', { game });
      this.lobby = fold(this.lobby, { type: 'challenge_closed', game }, session.me?.id ?? null);
    });
  }

  async #sitDown(game: string): Promise<void> {
    await session.connection.command('join', { game });
    await goto(`/game/${game}`);
  }

  async #offer(data: SeekTerms): Promise<void> {
    await session.ensurePlayer();
    const { seek, state } = await session.connection.command('seek', data);
    if (state.type === 'paired') await goto(`/game/${state.game}`);
    else if (state.type === 'open') this.#want([...this.wanted, { id: seek, seek: data }]);
  }

  async #join(pool: PoolName): Promise<void> {
    await session.ensurePlayer();
    const { ruleset, time, rated = false } = pool;
    const data = { ruleset, time, ...(rated ? { rated } : {}) };
    const { seek, state } = await session.connection.command('quick_pair', data);
    if (state.type === 'open') {
      const since = session.connection.serverNow();
      this.lobby = withOwnPool(this.lobby, { id: seek, ...data, since });
      this.#want([...this.wanted.filter(({ id }) => id !== seek), { id: seek, pool: data }]);
    } else if (state.type === 'paired') {
      this.#found += 1;
      await goto(`/game/${state.game}`);
    }
  }
}

/** The visit of this page. */
export const visit = new Visit();
