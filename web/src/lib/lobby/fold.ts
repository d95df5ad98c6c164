/** The lobby as it changes: its first state, and the changes since. */
import type { InPool, Lobby, LobbyNoticeKind, Pool, Seek } from '$lib/protocol/protocol';

/** A lobby in which nobody is. */
export const EMPTY: Readonly<Lobby> = {
  seeks: [],
  more: 0,
  pools: [],
  counts: { players: 0, games: 0 },
  own_seeks: [],
  own_pools: [],
  challenges: [],
  playing: [],
  server_time: 0
};

function withSeeks(seeks: readonly Seek[], added: readonly Seek[]): Seek[] {
  if (added.length === 0) return [...seeks];
  const fresh = new Set(added.map((seek) => seek.id));
  // The oldest stand first, and their order does not change when one comes a second time.
  return [...seeks.filter((seek) => !fresh.has(seek.id)), ...added].sort((a, b) => a.since - b.since);
}

function isSamePool(one: Omit<Pool, 'waiting'>, other: Omit<Pool, 'waiting'>): boolean {
  return one.ruleset === other.ruleset && one.time === other.time && (one.rated ?? false) === (other.rated ?? false);
}

function withPools(pools: readonly Pool[], changed: readonly Pool[]): Pool[] {
  const rest = pools.filter((pool) => !changed.some((change) => isSamePool(pool, change)));
  return [...rest, ...changed.filter((pool) => pool.waiting > 0)];
}

/** The lobby after a notice; `me` is whose lobby it is, null for a visitor without identity. */
export function fold(lobby: Lobby, notice: LobbyNoticeKind, me: string | null): Lobby {
  switch (notice.type) {
    case 'changed': {
      const { added = [], removed = [], pools = [], counts = lobby.counts } = notice;
      const gone = new Set(removed);
      const known = new Set(lobby.seeks.map((seek) => seek.id));
      // Those beyond the first two hundred are only counted, until they are removed or sent again.
      const unseen = removed.filter((id) => !known.has(id)).length;
      const mine = added.filter((seek) => seek.player.id === me);
      return {
        ...lobby,
        seeks: withSeeks(lobby.seeks, added).filter((seek) => !gone.has(seek.id)),
        more: Math.max(0, lobby.more - unseen),
        own_seeks: withSeeks(lobby.own_seeks, mine).filter((seek) => !gone.has(seek.id)),
        pools: withPools(lobby.pools, pools),
        counts
      };
    }
    case 'paired':
      // All that one sought otherwise is gone with it.
      return {
        ...lobby,
        seeks: lobby.seeks.filter((seek) => seek.player.id !== me),
        own_seeks: [],
        own_pools: [],
        playing: [...lobby.playing.filter((game) => game !== notice.game), notice.game]
      };
    case 'seek_ended':
      return withoutSeek(lobby, notice.seek);
    case 'challenged':
      return {
        ...lobby,
        challenges: [...lobby.challenges.filter((game) => game.game !== notice.game.game), notice.game]
      };
    case 'challenge_closed':
      return { ...lobby, challenges: lobby.challenges.filter((game) => game.game !== notice.game) };
    case 'reset':
      return {
        ...EMPTY,
        counts: lobby.counts,
        challenges: lobby.challenges,
        playing: lobby.playing,
        server_time: lobby.server_time
      };
  }
}

/** The lobby with one's own place in a pool, as soon as the server has given it. */
export function withOwnPool(lobby: Lobby, place: InPool): Lobby {
  const others = lobby.own_pools.filter((pool) => pool.id !== place.id && !isSamePool(pool, place));
  return { ...lobby, own_pools: [...others, place] };
}

/** The lobby without a seek or a place in a pool. */
export function withoutSeek(lobby: Lobby, id: string): Lobby {
  return {
    ...lobby,
    seeks: lobby.seeks.filter((seek) => seek.id !== id),
    own_seeks: lobby.own_seeks.filter((seek) => seek.id !== id),
    own_pools: lobby.own_pools.filter((pool) => pool.id !== id)
  };
}

/** How many wait in a pool; oneself included. */
export function waitingIn(lobby: Lobby, pool: Omit<Pool, 'waiting'>): number {
  return lobby.pools.find((other) => isSamePool(other, pool))?.waiting ?? 0;
}

/** One's own place in a pool, if one has one. */
export function ownPlace(lobby: Lobby, pool: Omit<Pool, 'waiting'>): InPool | undefined {
  return lobby.own_pools.find((other) => isSamePool(other, pool));
}

/** Pools in which somebody else waits: joining one starts a game at once, or as soon as the ratings are near enough. */
export function waitingPools(lobby: Lobby): Pool[] {
  return lobby.pools.filter((pool) => pool.waiting > (ownPlace(lobby, pool) ? 1 : 0));
}
