/** One's visit to the lobby: what stands there, and what one does there. */
import { goto } from '$app/navigation';
import type { AskSeek, CreateGame, Lobby, Pool } from '$lib/protocol/protocol';
import { session } from '$lib/session.svelte';
import { EMPTY, fold, ownPlace, withOwnPool, withoutSeek } from './fold';
import type { Offer } from './offers';

/** A pool, without who waits there. */
export type PoolName = Omit<Pool, 'waiting'>;

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

  /** Enters the lobby; what comes back leaves it. */
  enter(): () => void {
    return session.connection.lobby({
      snapshot: (lobby) => {
        this.lobby = lobby;
        this.entered = true;
      },
      notice: (notice) => {
        this.lobby = fold(this.lobby, notice, session.me?.id ?? null);
        if (notice.type === 'seek_ended') this.fault = notice.error;
      },
      refused: (error) => {
        this.fault = error;
      }
    });
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

  /** Takes back an own seek, or leaves a pool. */
  cancel(id: string): Promise<boolean> {
    return this.act(id, async () => {
      await session.connection.insist('cancel_seek', { seek: id });
      this.lobby = withoutSeek(this.lobby, id);
    });
  }

  /** Tells everybody what one would like to play. */
  seek(data: Omit<AskSeek, 'command'>): Promise<boolean> {
    return this.act('seek', async () => {
      await session.ensurePlayer();
      const { state } = await session.connection.command('seek', data);
      if (state.type === 'paired') await goto(`/game/${state.game}`);
    });
  }

  /** Opens a game, for a named player or by link, and goes there. */
  create(data: Omit<CreateGame, 'command'>): Promise<boolean> {
    return this.act('create', async () => {
      await session.ensurePlayer();
      const { game } = await session.connection.command('create_game', data);
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

  async #join(pool: PoolName): Promise<void> {
    await session.ensurePlayer();
    const { ruleset, time, rated = false } = pool;
    const data = { ruleset, time, ...(rated ? { rated } : {}) };
    const { seek, state } = await session.connection.command('quick_pair', data);
    if (state.type === 'open') {
      const since = session.connection.serverNow();
      this.lobby = withOwnPool(this.lobby, { id: seek, ...data, since });
    } else if (state.type === 'paired') {
      await goto(`/game/${state.game}`);
    }
  }
}
