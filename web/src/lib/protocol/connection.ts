import { browser, type Environment } from './environment';
import { Link, type LinkState } from './link';
import { LobbyVisit, type LobbySink } from './lobby_visit';
import { Pacer } from './pacer';
import type {
  AnswerTo,
  DataOf,
  LobbyNoticeKind,
  Player,
  Requests as RequestTable,
  RequestType,
  ServerMessage,
  ServerNoticeKind
} from './protocol';
import { Requests } from './requests';
import { Watches, type GameSink } from './watches';

export type { GameSink, LinkState, LobbySink };

/** Requests that carry the id of a command: however often one is sent, it is carried out once. */
export type CommandType = {
  [T in RequestType]: RequestTable[T]['data'] extends { command: string } ? T : never;
}[RequestType];
/** Requests that can be repeated without harm, though they are no commands. */
export type RepeatableType = 'set_up' | 'note' | 'cancel_seek' | 'leave_pools';
/** Without the distribution over the fields, `Omit` would lose which belongs to which. */
export type CommandData<T extends CommandType> = Omit<DataOf<T>, 'command'>;

/** Notices that come to every connection of a player, on every page. */
export type Notice = ServerNoticeKind | Exclude<LobbyNoticeKind, { type: 'changed' | 'reset' }>;
/** Ends what was begun. */
export type Unsubscribe = () => void;

/** How long a plain request waits for the connection and its answer. */
const PATIENCE_MS = 15_000;
/** What is about the lobby loses its sense when it comes much too late. */
const LOBBY_PATIENCE_MS = 20_000;
const LOBBY_COMMANDS: ReadonlySet<RequestType> = new Set(['create_game', 'seek', 'quick_pair', 'accept_seek']);

/**
 * The conversation with the server over one socket that comes back by itself. Requests are answered once; commands are sent until
 * they are answered; games and the lobby are followed without gaps across lost connections.
 */
export class Connection {
  /** Who the server takes this page for; null for a visitor, and until the first greeting. */
  player: Player | null = null;
  readonly #environment: Environment;
  readonly #link: Link;
  readonly #pacer: Pacer;
  readonly #requests: Requests;
  readonly #watches: Watches;
  readonly #visit: LobbyVisit;
  readonly #changed = new Set<() => void>();
  readonly #noticed = new Set<(notice: Notice) => void>();
  #greeted = false;

  constructor(environment: Environment = browser()) {
    this.#environment = environment;
    this.#link = new Link(environment, {
      changed: () => this.#tell(),
      welcomed: ({ player }) => this.#welcomed(player),
      received: (message) => this.#received(message),
      idle: () => this.#requests.idle
    });
    this.#pacer = new Pacer(environment, (text) => this.#link.send(text));
    const online = () => this.state.kind === 'online';
    const after = environment.after.bind(environment);
    this.#requests = new Requests(environment, { online, send: (text) => this.#pacer.push(text) });
    this.#watches = new Watches({
      online,
      after,
      ask: (game, since, preview, then) =>
        this.#requests.post('watch', { game, ...(since ? { since } : {}), ...(preview ? { preview } : {}) }, then),
      unwatch: (game) => this.#requests.post('unwatch', { game }, () => {})
    });
    this.#visit = new LobbyVisit({
      online,
      after,
      enter: (then) =>
        this.#requests.post('enter_lobby', {}, (answer) => {
          if ('code' in answer) then(answer);
          else if (answer.type === 'lobby') then(answer.lobby);
        }),
      leave: () => this.#requests.post('leave_lobby', {}, () => {})
    });
  }

  /** How the connection stands. */
  get state(): LinkState {
    return this.#link.state;
  }

  /** Whether the server has greeted at least once, so that `player` says something. */
  get greeted(): boolean {
    return this.#greeted;
  }

  /** Calls when `state` or `player` have changed. */
  onChange(listener: () => void): Unsubscribe {
    this.#changed.add(listener);
    return () => this.#changed.delete(listener);
  }

  /** Calls with the server's notices for this player, on every page. */
  onNotice(listener: (notice: Notice) => void): Unsubscribe {
    this.#noticed.add(listener);
    return () => this.#noticed.delete(listener);
  }

  /** Connects, and stays connected. */
  open(): void {
    this.#link.open();
  }

  /** Reconnects with the identity of the browser's current cookie: after signing in or out. */
  reopen(): void {
    this.#link.reopen();
  }

  /** Ends the connection, until `open`. */
  close(): void {
    this.#link.close();
  }

  /** The page has woken up, or the network has changed: find out at once how things stand. */
  wake(): void {
    this.#link.wake();
  }

  /** The browser says that it is offline, which is not always true. */
  probe(): void {
    this.#link.probe();
  }

  /** The server's time of now, in milliseconds since 1970. */
  serverNow(): number {
    return this.#link.clock.at(this.#environment.now(), this.#environment.wall());
  }

  /** The local clock that `LinkState.until` uses. */
  localNow(): number {
    return this.#environment.now();
  }

  /** Asks once. Rejects with `Refusal`, or with `LinkLost` if no answer comes. */
  async request<T extends RequestType>(type: T, data: DataOf<T>): Promise<AnswerTo<T>> {
    const answer = await this.#requests.ask(type, data, { lasting: false, within: PATIENCE_MS });
    return answer as AnswerTo<T>;
  }

  /**
   * Carries out a command exactly once: its id is drawn here, and it is sent until it is answered, across lost connections. What
   * is about the lobby is given up as `LinkLost` after a while.
   */
  async command<T extends CommandType>(type: T, data: CommandData<T>): Promise<AnswerTo<T>> {
    const whole = { ...data, command: this.#environment.uuid() } as DataOf<T>;
    const within = LOBBY_COMMANDS.has(type) ? LOBBY_PATIENCE_MS : Infinity;
    return (await this.#requests.ask(type, whole, { lasting: true, within })) as AnswerTo<T>;
  }

  /** Asks until there is an answer; for what may be repeated. */
  async insist<T extends RepeatableType>(type: T, data: DataOf<T>): Promise<AnswerTo<T>> {
    return (await this.#requests.ask(type, data, { lasting: true, within: Infinity })) as AnswerTo<T>;
  }

  /** Follows a game, from a snapshot on, until what comes back is called. */
  watch(game: string, sink: GameSink, preview = false): Unsubscribe {
    return this.#watches.add(game, sink, preview);
  }

  /** Stays in the lobby until what comes back is called. Own seeks end soon after the last part of the page has left. */
  lobby(sink: LobbySink): Unsubscribe {
    return this.#visit.add(sink);
  }

  #tell(): void {
    if (this.state.kind !== 'online') {
      this.#pacer.clear();
      this.#requests.lost();
      this.#watches.lost();
      this.#visit.lost();
    }
    for (const listener of [...this.#changed]) listener();
  }

  #welcomed(player: Player | null): void {
    const another = this.#greeted && this.player?.id !== player?.id;
    this.#greeted = true;
    // A visitor's request may be answered to the guest that they have become; a player's request is theirs alone.
    if (another && this.player) this.#requests.giveUp();
    this.player = player;
    this.#watches.resume(another);
    this.#visit.resume();
    this.#requests.resume();
  }

  #received(message: ServerMessage): void {
    if ('re' in message) this.#requests.answer(message);
    else if ('event' in message) this.#watches.event(message);
    else if ('lobby' in message) this.#lobbyNotice(message.lobby);
    else if ('game' in message) this.#watches.notice(message);
    else if ('notice' in message) {
      if (message.notice.type === 'slow_down') this.#pacer.slowDown();
      for (const listener of [...this.#noticed]) listener(message.notice);
    }
  }

  #lobbyNotice(notice: LobbyNoticeKind): void {
    this.#visit.notice(notice);
    if (notice.type === 'changed' || notice.type === 'reset') return;
    for (const listener of [...this.#noticed]) listener(notice);
  }
}
