/** Who the user is, and the one connection of the page. */
import { Connection, type LinkState, type Notice, type Unsubscribe } from '$lib/protocol/connection';
import { api } from '$lib/protocol/http';
import { answersBelongTo } from '$lib/offline';
import type { Guest, Me, SignedIn } from '$lib/protocol/protocol';
import { Refusal } from '$lib/protocol/refusal';

/** What a guest may do; the server has the last word. */
const SCOPES: Me['scopes'] = ['read', 'play'];
/** A session that ends again and again is not looked after for ever. */
const LOOK_AGAIN_MS = 3_000;

/** The session of the page. Use `session`. */
export class Session {
  /** The conversation with the server. */
  readonly connection: Connection;
  /** Who the user is; null for a visitor, and as long as `known` is false. */
  me: Me | null = $state.raw(null);
  /** Whether the server has said who the user is, or that they have no identity yet. */
  known = $state(false);
  /** How the connection stands. */
  link: LinkState = $state.raw({ kind: 'connecting' });
  /** The session has ended without the user's doing; until `forget`. */
  signedOut = $state(false);

  #guest: Promise<Me> | null = null;
  /** Whom `me` is being asked about. */
  #asking: string | null = null;
  #reopened = -Infinity;

  constructor(connection: Connection = new Connection()) {
    this.connection = connection;
  }

  /** Connects, and looks after the connection. Called once, by the layout; what comes back ends it. */
  start(): Unsubscribe {
    const { connection } = this;
    const ends = [connection.onChange(() => this.#changed())];
    const listen = (target: EventTarget, type: string, then: (event: Event) => void) => {
      target.addEventListener(type, then);
      ends.push(() => target.removeEventListener(type, then));
    };
    const wake = () => {
      if (document.visibilityState === 'visible') connection.wake();
    };
    listen(document, 'visibilitychange', wake);
    listen(window, 'focus', wake);
    listen(window, 'online', () => connection.wake());
    listen(window, 'offline', () => connection.probe());
    // A page that is put away says so, and may be kept by the browser; when it is taken out again it reconnects.
    listen(window, 'pagehide', () => connection.close());
    listen(window, 'pageshow', () => connection.open());
    connection.open();
    return () => {
      for (const end of ends) end();
      connection.close();
    };
  }

  /** Whether the user is a moderator or an admin; the server checks permissions with each request. */
  get isModerator(): boolean {
    return this.me?.role === 'moderator' || this.me?.role === 'admin';
  }

  /** Whether the user is an admin. */
  get isAdmin(): boolean {
    return this.me?.role === 'admin';
  }

  /** Calls with the server's notices for this player, on every page: `paired`, `challenged`, `seek_ended` and the like. */
  onNotice(listener: (notice: Notice) => void): Unsubscribe {
    return this.connection.onNotice(listener);
  }

  /** A visitor without an identity becomes a guest. For everything that a visitor can't do. */
  async ensurePlayer(): Promise<Me> {
    if (this.me) return this.me;
    if (!this.known) {
      // The cookie may say who this is, which a new guest would overwrite.
      const known = await this.#ask();
      if (known) return known;
    }
    this.#guest ??= this.#becomeGuest().finally(() => (this.#guest = null));
    return this.#guest;
  }

  /** After registering, signing in, or a new password: the cookie is another one, and so is perhaps the player. */
  async signedIn({ player }: SignedIn | Guest): Promise<void> {
    const me = await this.#ask();
    this.#arrived(me ?? { id: player.id, name: player.name, role: 'player', guest: false, scopes: SCOPES });
  }

  /** Ends the session here. A guest can't come back after it. */
  async signOut(): Promise<void> {
    await api.logout();
    this.me = null;
    this.connection.reopen();
  }

  /** The name or the role may have changed. */
  async refresh(): Promise<void> {
    this.me = await this.#ask();
  }

  /** The user has seen that the session had ended. */
  forget(): void {
    this.signedOut = false;
  }

  async #becomeGuest(): Promise<Me> {
    const { player } = await api.guest();
    this.#arrived({ id: player.id, name: player.name, role: 'guest', guest: true, scopes: SCOPES });
    return this.me ?? Promise.reject(new Error('nobody has arrived'));
  }

  /** Somebody is here by the user's own doing: what the connection greets next is no news. */
  #arrived(me: Me | null): void {
    this.me = me;
    this.known = true;
    this.signedOut = false;
    this.connection.reopen();
  }

  /** Whom the cookie says the user is; null for nobody. */
  async #ask(): Promise<Me | null> {
    try {
      return await api.me();
    } catch (fault) {
      if (fault instanceof Refusal) return null;
      throw fault;
    }
  }

  #changed(): void {
    const { connection } = this;
    this.link = connection.state;
    if (this.link.kind === 'ended' && this.link.why === 'signed_out') this.#lookAgain();
    if (this.link.kind !== 'online') return;
    const { player } = connection;
    void answersBelongTo(player?.id ?? null);
    if (!player) {
      if (this.me) this.signedOut = true;
      this.me = null;
      this.known = true;
    } else if (this.me?.id !== player.id || this.me.name !== player.name) {
      void this.#meet(player.id, player.name);
    }
  }

  /** Another page of this browser may have signed in or out, or registered: the cookie knows. */
  #lookAgain(): void {
    const now = this.connection.localNow();
    if (now - this.#reopened < LOOK_AGAIN_MS) return;
    this.#reopened = now;
    this.connection.reopen();
  }

  /** The server has greeted somebody: what the role is, only HTTP tells. */
  async #meet(id: string, name: string): Promise<void> {
    if (this.#asking === id) return;
    this.#asking = id;
    let me: Me = { id, name, role: 'guest', guest: true, scopes: SCOPES };
    try {
      me = await api.me();
    } catch {
      // The name is enough to play with; the next greeting asks again for the rest.
    }
    if (this.#asking === id) this.#asking = null;
    if (this.connection.player?.id !== me.id) return;
    this.me = me;
    this.known = true;
    this.signedOut = false;
  }
}

/** The session of this page. */
export const session = new Session();
