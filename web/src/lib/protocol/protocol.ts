// Made from the crate `protocol` by `make types`. Do not edit.

/** The WebSocket subprotocol, and with it the version of everything here. */
export const SUBPROTOCOL = "qiguan.v1";

/** What can be sent on the socket, by its type: what belongs to it, and what it is answered with. */
export interface Requests {
  hello: { data: Hello; answer: AnswerOf<"welcome"> };
  guest: { data: Nothing; answer: AnswerOf<"guest"> };
  ping: { data: Nothing; answer: AnswerOf<"pong"> };
  create_game: { data: CreateGame; answer: AnswerOf<"created"> };
  watch: { data: Watch; answer: AnswerOf<"snapshot" | "missed"> };
  unwatch: { data: Unwatch; answer: AnswerOf<"unwatched"> };
  set_up: { data: SetUp; answer: AnswerOf<"kept"> };
  note: { data: Note; answer: AnswerOf<"kept"> };
  spectator_chat: { data: SpectatorChat; answer: AnswerOf<"kept"> };
  enter_lobby: { data: Nothing; answer: AnswerOf<"lobby"> };
  leave_lobby: { data: Nothing; answer: AnswerOf<"left_lobby"> };
  seek: { data: AskSeek; answer: AnswerOf<"seek"> };
  cancel_seek: { data: CancelSeek; answer: AnswerOf<"seek"> };
  accept_seek: { data: AcceptSeek; answer: AnswerOf<"paired"> };
  quick_pair: { data: QuickPair; answer: AnswerOf<"seek"> };
  leave_pools: { data: Nothing; answer: AnswerOf<"left_pools"> };
  join: { data: Plain; answer: AnswerOf<"done"> };
  move: { data: Move; answer: AnswerOf<"done"> };
  resign: { data: Plain; answer: AnswerOf<"done"> };
  offer_draw: { data: Plain; answer: AnswerOf<"done"> };
  accept_draw: { data: AnswerDraw; answer: AnswerOf<"done"> };
  decline_draw: { data: AnswerDraw; answer: AnswerOf<"done"> };
  abort: { data: Plain; answer: AnswerOf<"done"> };
  decline: { data: Plain; answer: AnswerOf<"done"> };
  rematch: { data: Plain; answer: AnswerOf<"done"> };
  claim_victory: { data: Plain; answer: AnswerOf<"done"> };
  ready: { data: Plain; answer: AnswerOf<"done"> };
  chat: { data: Chat; answer: AnswerOf<"done"> };
}

/** The word for what is asked. */
export type RequestType = keyof Requests;

/** What belongs to a request of one type. */
export type DataOf<T extends RequestType> = Requests[T]["data"];

/** What a request of one type is answered with, if it is not refused. */
export type AnswerTo<T extends RequestType> = Requests[T]["answer"];

/** A request as it is sent, of one type or of any. */
export type Request<T extends RequestType = RequestType> = {
  [K in T]: { id: RequestId; type: K; data: DataOf<K> };
}[T];

/** Everything that the server sends on the socket. Which one it is shows in its fields: `re`, `event`, `lobby`, or `notice`. */
export type ServerMessage = AnswerFrame | EventFrame | GameNotice | ServerNotice | LobbyNotice;

/** The answer of one type, or of one of several. */
export type AnswerOf<T extends Answer["type"]> = Extract<Answer, { type: T }>;

/** What there is over HTTP. A refusal has another status, and an `ErrorBody`. */
export interface Paths {
  "POST /api/guest": { query: null; body: null; answer: Guest };
  "GET /api/me": { query: null; body: null; answer: Me };
  "POST /api/register": { query: null; body: Credentials; answer: SignedIn };
  "POST /api/login": { query: null; body: Credentials; answer: SignedIn };
  "POST /api/logout": { query: null; body: null; answer: null };
  "POST /api/account/password": { query: null; body: NewPassword; answer: PasswordChanged };
  "GET /api/account/sessions": { query: null; body: null; answer: SessionList };
  "DELETE /api/account/sessions": { query: null; body: null; answer: null };
  "DELETE /api/account/sessions/{id}": { query: null; body: null; answer: null };
  "GET /api/account/tokens": { query: null; body: null; answer: TokenList };
  "POST /api/account/tokens": { query: null; body: NewToken; answer: IssuedToken };
  "DELETE /api/account/tokens/{id}": { query: null; body: null; answer: null };
  "POST /api/account/delete": { query: null; body: Withdrawal; answer: null };
  "POST /api/account/bot": { query: null; body: null; answer: null };
  "GET /api/account/blocks": { query: null; body: null; answer: Blocks };
  "PUT /api/account/blocks/{player}": { query: null; body: null; answer: null };
  "DELETE /api/account/blocks/{player}": { query: null; body: null; answer: null };
  "GET /api/announcements": { query: null; body: null; answer: Announcements };
  "GET /api/catalog": { query: null; body: null; answer: Catalog };
  "GET /api/setups": { query: null; body: null; answer: SavedSetups };
  "GET /api/setups/{name}": { query: null; body: null; answer: SavedSetup };
  "PUT /api/setups/{name}": { query: null; body: SaveSetup; answer: null };
  "DELETE /api/setups/{name}": { query: null; body: null; answer: null };
  "GET /api/live": { query: LiveQuery; body: null; answer: LiveGames };
  "GET /api/tv": { query: null; body: null; answer: Tv };
  "GET /api/games": { query: GamesQuery; body: null; answer: GamePage };
  "POST /api/games": { query: null; body: CreateGame; answer: AnswerOf<"created"> };
  "GET /api/games/{id}": { query: null; body: null; answer: GameView };
  "GET /api/games/{id}/events": { query: EventsQuery; body: null; answer: Events };
  "GET /api/games/{id}/positions": { query: PositionsQuery; body: null; answer: Positions };
  "GET /api/games/{id}/verify": { query: null; body: null; answer: Verification };
  "GET /api/openings": { query: OpeningQuery; body: null; answer: Opening };
  "POST /api/games/{id}/commands": { query: null; body: GameCommand; answer: AnswerOf<"done"> };
  "GET /api/games/{id}/spectator_chat": { query: SpectatorChatQuery; body: null; answer: SpectatorChatPage };
  "POST /api/games/{id}/spectator_chat": { query: null; body: SayToSpectators; answer: null };
  "PUT /api/games/{id}/setup": { query: null; body: PutSetup; answer: null };
  "PUT /api/games/{id}/notes": { query: null; body: PutNotes; answer: null };
  "POST /api/games/{id}/withdraw": { query: null; body: Withdraw; answer: null };
  "POST /api/games/{id}/restore": { query: null; body: Why; answer: null };
  "POST /api/games/{id}/adjudicate": { query: null; body: Adjudicate; answer: AnswerOf<"done"> };
  "GET /api/players": { query: PlayerQuery; body: null; answer: Profile };
  "GET /api/players/{id}": { query: null; body: null; answer: Profile };
  "GET /api/players/{id}/ratings": { query: RatingsQuery; body: null; answer: RatingHistory };
  "GET /api/players/{id}/against/{other}": { query: null; body: null; answer: HeadToHead };
  "GET /api/players/{id}/presence": { query: null; body: null; answer: PlayerPresence };
  "POST /api/players/{id}/ban": { query: null; body: Ban; answer: null };
  "DELETE /api/players/{id}/ban": { query: null; body: Why; answer: null };
  "PUT /api/players/{id}/name": { query: null; body: Rename; answer: Renamed };
  "POST /api/players/{id}/mute": { query: null; body: Mute; answer: null };
  "DELETE /api/players/{id}/mute": { query: null; body: Why; answer: null };
  "POST /api/players/{id}/limit": { query: null; body: Limit; answer: null };
  "DELETE /api/players/{id}/limit": { query: null; body: Why; answer: null };
  "GET /api/admin/players/{id}": { query: null; body: null; answer: PlayerStanding };
  "PUT /api/players/{id}/role": { query: null; body: NewRole; answer: null };
  "GET /api/leaderboards/{game}/{set}": { query: LeaderboardQuery; body: null; answer: Leaderboard };
  "GET /api/reports": { query: ReportsQuery; body: null; answer: ReportPage };
  "POST /api/reports": { query: null; body: NewReport; answer: null };
  "POST /api/reports/{id}/close": { query: null; body: CloseReport; answer: null };
  "PUT /api/admin/maintenance": { query: null; body: StartMaintenance; answer: null };
  "DELETE /api/admin/maintenance": { query: null; body: Why; answer: null };
  "PUT /api/admin/notice": { query: null; body: PutUpNotice; answer: null };
  "DELETE /api/admin/notice": { query: null; body: Why; answer: null };
  "GET /api/admin/games": { query: GamesQuery; body: null; answer: GamePage };
  "GET /api/admin/games/{id}": { query: null; body: null; answer: OverseenGame };
  "GET /api/admin/games/{id}/chat": { query: null; body: null; answer: ChatLog };
  "GET /api/admin/audit": { query: AuditQuery; body: null; answer: AuditPage };
  "GET /api/lobby": { query: null; body: null; answer: Lobby };
  "GET /api/lobby/pools": { query: null; body: null; answer: Pools };
  "POST /api/lobby/seeks": { query: null; body: AskSeek; answer: AnswerOf<"seek"> };
  "GET /api/lobby/seeks/{id}": { query: null; body: null; answer: AnswerOf<"seek"> };
  "DELETE /api/lobby/seeks/{id}": { query: null; body: null; answer: AnswerOf<"seek"> };
  "POST /api/lobby/seeks/{id}/accept": { query: null; body: Accept; answer: AnswerOf<"paired"> };
  "POST /api/lobby/quick": { query: null; body: QuickPair; answer: AnswerOf<"seek"> };
  "DELETE /api/lobby/quick": { query: null; body: null; answer: AnswerOf<"left_pools"> };
}

/** The limits that clients can run into. */
export const LIMITS = {
  /** The longest message and frame from a client, in bytes. Longer: close 1009. */
  MESSAGE_BYTES: 8 * 1024,
  /** Bytes on a socket, frames and all, that may come in before a message is whole. More: close 1008. */
  UNFINISHED_BYTES: 64 * 1024,
  /** The longest HTTP request body, in bytes. Longer: 413. */
  BODY_BYTES: 64 * 1024,
  /** The longest chat line, in characters. */
  CHAT_CHARACTERS: 300,
  /** Chat lines that one player may send at once; one more every [`CHAT_REFILL_MS`]. */
  CHAT_BURST: 5,
  /** Milliseconds until a player may send one more chat line. */
  CHAT_REFILL_MS: 2_000,
  /** Chat lines that one player may send at once in all games together; one more every [`CHAT_REFILL_MS`]. */
  CHAT_BURST_IN_ALL: 60,
  /** Chat lines that one player may send in one game. */
  PLAYER_LINES: 500,
  /** Lines that spectators may say at one game at once from one address; one more every [`ADDRESS_CHAT_REFILL_MS`]. */
  ADDRESS_CHAT_BURST: 60,
  /** Milliseconds until spectators at one address may say one more line at a game. */
  ADDRESS_CHAT_REFILL_MS: 1_000,
  /** Lines of spectators that are kept at one game: the newest. */
  SPECTATOR_LINES: 2_000,
  /** How many of them a view brings along: the last. */
  SPECTATOR_LINES_SHOWN: 100,
  /** The most plies by which spectators are behind. */
  DELAY_PLIES: 15,
  /** The most minutes by which spectators are behind. */
  DELAY_MINUTES: 60,
  /** How many draw offers one player may make in one game. */
  DRAW_OFFERS: 10,
  /** How many challenges of one player to another may be open at once. */
  CHALLENGES_TO_ONE: 3,
  /** How many games one connection may watch at once. */
  WATCHED_GAMES: 64,
  /** How many missed events `watch` sends before it prefers a snapshot. */
  RESUME_EVENTS: 256,
  /** Milliseconds within which a connection has to say who it is. */
  HELLO_MS: 10_000,
  /** Milliseconds between the server's pings. */
  PING_MS: 10_000,
  /** Milliseconds without any sign of life after which a connection is given up. */
  SILENCE_MS: 18_000,
  /** Milliseconds within which a client has to take what was sent. */
  WRITE_MS: 5_000,
  /** Messages that may wait for a slow client. More: close 4008. */
  OUTBOX_MESSAGES: 256,
  /** Bytes that may wait for a slow client. More: close 4008. */
  OUTBOX_BYTES: 256 * 1024,
  /** Games on one page of a list, at most. */
  PAGE_GAMES: 100,
  /** Events on one page of a game's, at most, and if nothing is said. */
  PAGE_EVENTS: 5_000,
  /** Positions on one page of a game's, at most, and if nothing is said. */
  PAGE_POSITIONS: 5_000,
  /** Setups that one player may have saved. */
  SETUPS: 50,
  /** How many players one player may block. */
  BLOCKS_PER_PLAYER: 200,
  /** How many reports one player may send in 24 hours. */
  REPORTS_PER_DAY: 10,
  /** The longest text of a report, in characters. */
  REPORT_CHARACTERS: 1_000,
  /** The longest name of a setup, in characters. */
  SETUP_NAME_CHARACTERS: 40,
  /** The shortest password, in bytes. */
  PASSWORD_BYTES_LEAST: 8,
  /** The longest password, in bytes. */
  PASSWORD_BYTES: 256,
  /** API tokens that one account may have. */
  TOKENS: 20,
  /** The longest name of an API token, in characters. */
  TOKEN_NAME_CHARACTERS: 40,
  /** The longest time for which an API token is given, in days; left out it does not end. */
  TOKEN_DAYS: 3_650,
  /** The longest reason of a moderator for a ban or a withdrawal, in characters. */
  REASON_CHARACTERS: 200,
  /** Characters in an announcement. */
  ANNOUNCEMENT_CHARACTERS: 300,
  /** Minutes for which a notice stands, at most. */
  NOTICE_MINUTES: 10_080,
  /** The shortest budget of a `fischer` clock, in milliseconds. */
  INITIAL_MS_LEAST: 1_000,
  /** The longest budget of a `fischer` clock, in milliseconds. */
  INITIAL_MS: 10_800_000,
  /** The largest increment of a `fischer` clock, in milliseconds. */
  INCREMENT_MS: 180_000,
  /** The longest budget of a `byoyomi` clock, in milliseconds. */
  MAIN_MS: 10_800_000,
  /** The shortest period of a `byoyomi` clock, in milliseconds. */
  PERIOD_MS_LEAST: 1_000,
  /** The longest period of a `byoyomi` clock, in milliseconds. */
  PERIOD_MS: 600_000,
  /** The most periods of a `byoyomi` clock. */
  PERIODS: 100,
  /** The shortest time for a move on a `per_move` clock, in milliseconds. */
  MOVE_MS_LEAST: 10_000,
  /** The longest time for a move on a `per_move` clock, in milliseconds. */
  MOVE_MS: 1_209_600_000,
  /** The shortest time for which an absent player is waited for, in milliseconds. */
  ABSENCE_MS_LEAST: 5_000,
  /** The longest time for which an absent player is waited for, in milliseconds. */
  ABSENCE_MS: 3_600_000,
  /** The shortest time to set up, in milliseconds. */
  SETUP_MS_LEAST: 10_000,
  /** The longest time to set up, in milliseconds. */
  SETUP_MS: 1_209_600_000,
  /** The fewest characters of an account's name. */
  NAME_CHARACTERS_LEAST: 3,
  /** The most characters of an account's name. */
  NAME_CHARACTERS: 20,
  /** The most characters of a name that is looked up. */
  LOOKED_UP_CHARACTERS: 100,
  /** The most characters of a position as text. */
  POSITION_CHARACTERS: 300,
  /** The most characters of the moves that lead to a position. */
  MOVES_CHARACTERS: 1_000,
  /** The shortest time for which an animation shows a position, in milliseconds. */
  ANIMATION_SPEED_LEAST: 100,
  /** The longest time for which an animation shows a position, in milliseconds. */
  ANIMATION_SPEED: 5_000,
  /** The longest notes of a player on a game, in bytes. */
  NOTES_BYTES: 4_000,
} as const;

/** How a WebSocket ends. Below 4500 a client may come back; from there on it should not without a change. */
export const CLOSE = {
  /** Normal end. */
  NORMAL: 1000,
  /** The bytes are no WebSocket protocol. */
  PROTOCOL: 1002,
  /** Binary data, where only text is spoken. */
  UNSUPPORTED: 1003,
  /** Text that is not UTF-8. */
  NOT_UTF8: 1007,
  /** Too many messages. */
  POLICY: 1008,
  /** A message of more than [`MESSAGE_BYTES`]. */
  TOO_BIG: 1009,
  /** The server restarts; come back after the time in the reason. */
  RESTART: 1012,
  /** The client did not take what was sent; come back and resume. */
  SLOW: 4008,
  /** No sign of life. */
  SILENT: 4009,
  /** The session has ended (signed out, password changed, account deleted): sign in again. */
  SIGNED_OUT: 4502,
  /** The account is closed to its owner. */
  BANNED: 4503,
  /** No `hello` within [`HELLO_MS`]. */
  NO_HELLO: 4501,
} as const;

/** Every code that an error can have. */
export const ERROR_CODES = [
  "bad_request",
  "unknown_type",
  "bad_value",
  "unknown_ruleset",
  "bad_option",
  "bad_move",
  "bad_setup",
  "unauthenticated",
  "bad_token",
  "bad_credentials",
  "needs_account",
  "forbidden",
  "banned",
  "muted",
  "name_taken",
  "not_found",
  "not_a_player",
  "gone",
  "paused",
  "blocked",
  "already_seated",
  "not_started",
  "game_over",
  "game_running",
  "already_ready",
  "not_setting_up",
  "not_your_turn",
  "illegal_move",
  "banned_move",
  "stale",
  "ahead",
  "conflict",
  "offer_open",
  "too_late",
  "too_early",
  "rate_limited",
  "limit_reached",
  "maintenance",
  "busy",
  "not_stored",
  "parked",
  "restarting",
  "bad_origin",
  "internal",
] as const satisfies readonly ErrorCode[];

/** The body of `POST /api/lobby/seeks/{id}/accept`. */
export type Accept = {
  /** The command's id; accepting twice with the same id opens one game. */
  command: CommandId,
};

/** `accept_seek`: accepts the seek and starts the game. */
export type AcceptSeek = {
  /** The command's id; accepting twice with the same id opens one game. */
  command: CommandId,
  /** The seek. */
  seek: SeekId,
};

/** Something that was done. */
export type Act = {
  /** The entry. */
  act: ActId,
  /** When. */
  at: Millis,
  /** What. */
  operation: Operation,
  /** Who did it; null for the operator. */
  by: Player | null,
  /** Whom it was done to. */
  player: Player | null,
  /** Which game it was done to. */
  game: GameId | null,
  /** Why; empty if nobody has said. */
  reason: string,
  /** What else there is to know, such as the role before and after, for people to read. */
  details: string,
};

/** An entry of the audit log. Version 7, so that ids sort by time. */
export type ActId = string;

/** `POST /api/games/{id}/adjudicate`: a game that goes on ends now. */
export type Adjudicate = {
  /** The command's id: the same one ends the game once. */
  command: CommandId,
  /** How it ends: `aborted` breaks it off. */
  result: ResultWord,
  /** Why, for the audit log: 1 to 200 characters. */
  reason: string,
};

/** What stands now: `GET /api/announcements`, and the notice `announcements`. */
export type Announcements = {
  /** No new games for now; those that go on are played to their ends. Null if games can be opened. */
  maintenance: Maintenance | null,
  /** Something to read; null if there is nothing. */
  notice: Notice | null,
};

/** What a request can come to. */
export type Answer =
  | { type: "welcome" } & Welcome
  | { type: "guest" } & Guest
  | { type: "pong",
      /** The server's time. */
      server_time: Millis,
    }
  | { type: "created",
      /** The new game. */
      game: GameId,
    }
  | { type: "snapshot",
      /** Why not just the missing events: nothing was asked for, or the cursor can't be served. */
      reset: boolean,
      /** The game. */
      view: GameView,
    }
  | { type: "missed",
      /** The game. */
      game: GameId,
      /** Where these events lead. */
      cursor: Cursor,
      /** The events; empty for a client that is up to date. */
      events: Array<EventFrame>,
      /** The position, clocks and presence of now. */
      live: LiveState,
    }
  | { type: "kept",
      /** The game. */
      game: GameId,
    }
  | { type: "unwatched",
      /** The game. */
      game: GameId,
    }
  | { type: "lobby",
      /** The lobby. */
      lobby: Lobby,
    }
  | { type: "left_lobby",
    }
  | { type: "seek",
      /** The seek, or the place in a pool. */
      seek: SeekId,
      /** Whether it is open. */
      state: SeekState,
    }
  | { type: "paired",
      /** The game. */
      game: GameId,
    }
  | { type: "left_pools",
      /** The places that were given up. */
      seeks: Array<SeekId>,
    }
  | { type: "done",
      /** The game. */
      game: GameId,
      /** The number of the last event that the command caused. */
      seq: Seq,
    };

/** The data of `accept_draw` and `decline_draw`. */
export type AnswerDraw = {
  /** The game. */
  game: GameId,
  /** The command's id. */
  command: CommandId,
  /** The number of the event that made the offer. */
  offer: Seq,
};

/** The answer to a request. */
export type AnswerFrame = {
  /** The request's id; null if the message had none that could be read. */
  re: RequestId | null,
  /** What came of it. */
  ok?: Answer,
  /** Why nothing came of it. */
  error?: ApiError,
};

/** A refusal: what is wrong, where, and what would be allowed. */
export type ApiError = {
  /** What kind of refusal. */
  code: ErrorCode,
  /** For people: what is wrong and what is allowed. Not stable. */
  message: string,
  /** The field at fault, as a path (`time_control.clock.initial_ms`). */
  field?: string,
  /** With `stale` and `ahead`: where the game is. */
  current?: Current,
  /** With `muted`: until when, in server time; absent: for good. */
  until?: Millis,
  /** With `rate_limited`: in how many milliseconds the same request would pass; absent where that is not known. */
  retry_in_ms?: Millis,
};

/** An API token, without the secret. */
export type ApiToken = {
  /** To revoke it by. */
  id: string,
  /** What it is for. */
  name: string,
  /** What it may be used for. */
  scopes: Array<Scope>,
  /** Since when. */
  created_at: Millis,
  /** When it was last used, give or take a few minutes. */
  last_seen_at: Millis,
  /** When it ends by itself; left out if never. */
  expires_at?: Millis,
};

/** `seek`: offers a game to everybody in the lobby. Players who fit may accept. */
export type AskSeek = {
  /** The command's id; seeking twice with the same id seeks once. */
  command: CommandId,
  /** The rule set. */
  ruleset: string,
  /** Options that differ from the rule set's. */
  options?: { [key in string]: OptionValue },
  /** The time control. */
  time_control: TimeControl,
  /** Whether the result counts for the players' ratings. */
  rated?: boolean,
  /** The seat of the seek's owner. */
  seat?: SeatChoice,
  /** The ratings that may accept; absent: anybody. */
  rating?: RatingRange,
  /** By how much spectators see the game later; absent: not at all. */
  spectator_delay?: SpectatorDelay,
};

/** Something that happened to the connections of a game's players. */
export type Attended = {
  /** When. */
  at: Millis,
  /** How many moves had been played. */
  ply: Ply,
  /** What. */
  what: AttendedKind,
  /** Who has come or gone; null for what the server did. */
  seat: Seat | null,
};

/** What happened. */
export type AttendedKind = "connected" | "disconnected" | "server_stopped" | "server_started" | "cut";

/** A page of the audit log, the newest entry first. */
export type AuditPage = {
  /** The entries. */
  acts: Array<Act>,
  /** The `before` of the next page; null if this is the last. */
  before: ActId | null,
};

/** `GET /api/admin/audit`: which entries, the newest first. All conditions hold together. */
export type AuditQuery = {
  /** What this player has done. */
  by?: PlayerId,
  /** What was done to this player. */
  player?: PlayerId,
  /** What was done to this game. */
  game?: GameId,
  /** Only this. */
  operation?: Operation,
  /** At or after this server time. */
  from?: Millis,
  /** Before this server time. */
  until?: Millis,
  /** Entries older than this one: the `before` of the last page. */
  before?: ActId,
  /** How many, 1 to 100; absent: 50. */
  limit?: number,
};

/** `POST /api/players/{id}/ban`. */
export type Ban = {
  /** Until when; left out: for good. */
  until?: Millis,
  /** The reason, shown to the player: 1 to 200 characters. */
  reason: string,
};

/** Why a move is banned though the pieces could make it. */
export type BanReason = "repetition" | "perpetual_check" | "perpetual_chase";

/** A banned move and why. */
export type BannedMove = {
  /** From and to. */
  move: MoveText,
  /** Why. */
  reason: BanReason,
};

/** Players whom the caller does not want to play. */
export type Blocks = {
  /** The players, the last blocked first. */
  players: Array<Player>,
};

/** One value for each seat. */
export type BySeat<T> = {
  /** The first seat's. */
  first: T,
  /** The second seat's. */
  second: T,
};

/** `cancel_seek`: takes back an own seek, also one in a pool. */
export type CancelSeek = {
  /** The seek. */
  seek: SeekId,
};

/** Everything that can be played. */
export type Catalog = {
  /** The games. */
  games: Array<CatalogGame>,
};

/** A board. */
export type CatalogBoard = {
  /** Files, named from `a` at the first seat's left. */
  files: number,
  /** Ranks, numbered from 1 nearest to the first seat. */
  ranks: number,
  /** Whether pieces stand on the crossings of lines rather than on squares. */
  on_points: boolean,
  /** Special squares. */
  marks: Array<CatalogMark>,
  /** Roads and railways, each pair of points once; empty where pieces move by other patterns. */
  ways?: Array<CatalogWay>,
};

/** A game. */
export type CatalogGame = {
  /** The first part of its rule sets' ids. */
  id: string,
  /** The shown name. */
  name: string,
  /** The name in Chinese. */
  chinese: string,
  /** The board. */
  board: CatalogBoard,
  /** The kinds of pieces. */
  pieces: Array<CatalogPiece>,
  /** The options and what values they take. */
  options: { [key in string]: CatalogOption },
  /** The named rule sets. */
  rulesets: Array<CatalogRuleSet>,
};

/** A special square. */
export type CatalogMark = {
  /** Which, such as `d1`. */
  square: string,
  /** What it is: `den`, `trap`, `river` (on a board of points: the points on its banks), `palace`, `camp` or `headquarters`. */
  kind: string,
  /** Whose it is; null if nobody's. */
  owner: Seat | null,
};

/** What values an option takes. */
export type CatalogOption =
  | { type: "bool",
    }
  | { type: "number",
      /** The least. */
      least: number,
      /** The most. */
      most: number,
    }
  | { type: "word",
      /** The words. */
      words: Array<string>,
    };

/** A kind of piece. */
export type CatalogPiece = {
  /** The letter in notation: upper case for the first seat, lower case for the second. */
  letter: string,
  /** The English name. */
  name: string,
  /** The Chinese characters on the two seats' pieces, traditional. They are the same in some games. */
  characters: BySeat<string>,
};

/** A named rule set. */
export type CatalogRuleSet = {
  /** The id. */
  id: string,
  /** Every option's value. */
  options: { [key in string]: OptionValue },
  /** The shown names of the seats. */
  seats: BySeat<string>,
  /** The position at the beginning. */
  start: string,
  /** The pieces' strengths by letter, the strongest highest; empty where any piece takes any other. */
  strengths: { [key in string]: number },
};

/** Two points that are joined. */
export type CatalogWay = {
  /** One end, such as `a1`. */
  from: string,
  /** The other. */
  to: string,
  /** Whether it is a railway. */
  railway: boolean,
};

/** What is featured of a kind of game. It stays as long as it goes on; then another follows. */
export type Channel = {
  /** The kind, such as `xiangqi`. */
  kind: string,
  /** The game; null while none goes on. */
  game: LiveGame | null,
};

/** The data of `chat`. */
export type Chat = {
  /** The game. */
  game: GameId,
  /** The command's id. */
  command: CommandId,
  /** The line, 1 to 300 characters, without control characters. */
  text: string,
};

/** A line of the players' chat. */
export type ChatLine = {
  /** Who. */
  seat: Seat,
  /** When, in server time. */
  at: Millis,
  /** What. */
  text: string,
};

/** `GET /api/admin/games/{id}/chat`: everything that was said in a game. */
export type ChatLog = {
  /** The game. */
  game: GameId,
  /** The players. */
  players: BySeat<Player | null>,
  /** The lines of the players, the first one first. */
  lines: Array<LoggedLine>,
  /** The lines of the spectators, the first one first. */
  spectators: Array<LoggedSpectatorLine>,
};

/** How time is counted. All spans are in milliseconds. */
export type Clock =
  | { type: "fischer",
      /** The budget, 1,000 to 10,800,000 (1 second to 3 hours). */
      initial_ms: Millis,
      /** Added after each move, 0 to 180,000 (3 minutes). */
      increment_ms: Millis,
    }
  | { type: "byoyomi",
      /** The budget, 0 to 10,800,000 (3 hours). */
      main_ms: Millis,
      /** The length of a period, 1,000 to 600,000 (1 second to 10 minutes). */
      period_ms: Millis,
      /** How many periods, 1 to 100. */
      periods: number,
    }
  | { type: "per_move",
      /** The time for one move, 10,000 to 1,209,600,000 (10 seconds to 14 days). */
      move_ms: Millis,
    }
  | { type: "none" };

/** A kind of clock, as it is asked for. */
export type ClockWord = "fischer" | "byoyomi" | "per_move" | "none";

/** Both clocks. */
export type Clocks = {
  /** What each seat has left at `at`; left out without a clock. */
  left?: BySeat<TimeLeft>,
  /** Whose clock runs; left out if none does. */
  running?: Seat,
  /** Why the clocks stand though it is somebody's turn; left out if they do not. */
  held?: Hold,
  /** The server time at which these values were true. */
  at: Millis,
};

/** `POST /api/reports/{id}/close`: a report has been dealt with. */
export type CloseReport = {
  /** What is made of it. */
  outcome: ReportOutcome,
  /** Why, kept in the audit log: at most 200 characters. */
  reason?: string,
};

/**
 * A client's own 128-bit name for one command that changes a game. A client that repeats a command with the same id gets
 * the stored answer and changes nothing; the same id with other content is a `conflict`.
 */
export type CommandId = string;

/** How many are here. */
export type Counts = {
  /** Players who are connected. */
  players: number,
  /** Games that are being played. */
  games: number,
};

/** `create_game`: opens a game and sits down. */
export type CreateGame = {
  /** The command's id; creating twice with the same id creates once. */
  command: CommandId,
  /** The rule set, such as `doushouqi/booklet`; `GET /api/catalog` lists them. */
  ruleset: string,
  /** Options that differ from the rule set's; `GET /api/catalog` lists them. */
  options?: { [key in string]: OptionValue },
  /** The time control. */
  time_control: TimeControl,
  /** The creator's seat. */
  seat?: SeatChoice,
  /** Who finds the game. */
  visibility?: Visibility,
  /**
   * Whether the result counts for the players' ratings. Both need an account, the rule set is to be played as it is, and
   * with a clock.
   */
  rated?: boolean,
  /** A challenge: the name of the player who alone may join. The game is then not listed. */
  to?: string,
  /** By how much spectators see the game later; absent: not at all. */
  spectator_delay?: SpectatorDelay,
};

/** `POST /api/register`, and `POST /api/login`. */
export type Credentials = {
  /** The account's name. */
  name: string,
  /** The account's password. */
  password: Password,
};

/** Where the game is, so that a client that was refused can catch up. */
export type Current = {
  /** The last event's number. */
  seq: Seq,
  /** The number of moves played. */
  ply: Ply,
};

/** How far a client has seen a game: everything up to and including `seq`. */
export type Cursor = {
  /** The record that `seq` belongs to. */
  epoch: Epoch,
  /** The last event seen; 0 for none. */
  seq: Seq,
};

/** Why a game ended (`docs/rules.md`, "In every game"). */
export type EndReason = "den" | "elimination" | "flag" | "no_moves" | "checkmate" | "stalemate" | "repetition" | "quiet_limit" | "length_limit" | "resignation" | "timeout" | "agreement" | "abandonment" | "adjudication" | "aborted";

/**
 * Which record an event number belongs to. It changes when the record may have lost something (a restored backup), and
 * then every older cursor is void.
 */
export type Epoch = number;

/** The body of every error over HTTP. */
export type ErrorBody = {
  /** What is wrong. */
  error: ApiError,
};

/** What went wrong. The list is closed: a client may match on it. */
export type ErrorCode = "bad_request" | "unknown_type" | "bad_value" | "unknown_ruleset" | "bad_option" | "bad_move" | "bad_setup" | "unauthenticated" | "bad_token" | "bad_credentials" | "needs_account" | "forbidden" | "banned" | "muted" | "name_taken" | "not_found" | "not_a_player" | "gone" | "paused" | "blocked" | "already_seated" | "not_started" | "game_over" | "game_running" | "already_ready" | "not_setting_up" | "not_your_turn" | "illegal_move" | "banned_move" | "stale" | "ahead" | "conflict" | "offer_open" | "too_late" | "too_early" | "rate_limited" | "limit_reached" | "maintenance" | "busy" | "not_stored" | "parked" | "restarting" | "bad_origin" | "internal";

/** One event of a game as one viewer sees it. Every viewer gets every number; what a viewer may not see is `withheld`. */
export type EventFrame = {
  /** The game. */
  game: GameId,
  /** The event's number. */
  seq: Seq,
  /** When it happened, in server time. */
  at: Millis,
  /** What happened. */
  event: GameEvent,
  /**
   * The position after it, where the event changed it. Only on a live event: a client that catches up gets the last position
   * once.
   */
  position?: Position,
};

/** `GET /api/games/{id}/events`: events in order. */
export type Events = {
  /** The events. */
  events: Array<EventFrame>,
  /** There are more: they come after this number, which is `since` of the next page. */
  next?: Seq,
};

/** `GET /api/games/{id}/events`: which events. */
export type EventsQuery = {
  /** Only events after this number; absent: all. */
  since?: Seq,
  /** How many at most, 1 to 5,000; absent: 5,000. */
  limit?: number,
};

/** Through whose eyes a game that is over is looked at. */
export type EyesWord = "first" | "second" | "spectators" | "referee";

/**
 * A command that changes a game: on the socket `{"type": "move", "data": {"game": …, "command": …, "ply": 1, "move": "a3a4"}}`,
 * over HTTP the same `type` and `data` posted to `/api/games/{id}/commands`.
 */
export type GameCommand =
  | { type: "join", data: Plain }
  | { type: "move", data: Move }
  | { type: "resign", data: Plain }
  | { type: "offer_draw", data: Plain }
  | { type: "accept_draw", data: AnswerDraw }
  | { type: "decline_draw", data: AnswerDraw }
  | { type: "abort", data: Plain }
  | { type: "decline", data: Plain }
  | { type: "rematch", data: Plain }
  | { type: "claim_victory", data: Plain }
  | { type: "ready", data: Plain }
  | { type: "chat", data: Chat };

/** What can happen in a game. */
export type GameEvent =
  | { type: "created",
      /** The creator's seat. */
      seat: Seat,
      /** The creator. */
      player: Player,
    }
  | { type: "joined",
      /** The seat. */
      seat: Seat,
      /** Who took it. */
      player: Player,
    }
  | { type: "setup_began",
      /** When the setups as they stand are taken, in server time. */
      until: Millis,
      /** The viewer's own setup to begin with, drawn at random; absent for spectators. */
      setup?: string,
    }
  | { type: "setup_extended",
      /** When the setups as they stand are taken now, in server time. */
      until: Millis,
    }
  | { type: "setup_ready",
      /** Who. */
      seat: Seat,
    }
  | { type: "started",
      /** The clocks at the beginning. */
      clocks: Clocks,
      /** In a game with setups: the SHA-256 of each side's salt and setup, in hexadecimal digits. */
      commitments?: BySeat<string>,
    }
  | { type: "moved",
      /** Who moved. */
      seat: Seat,
      /** The move's number. */
      ply: Ply,
      /** From and to. */
      move: MoveText,
      /** The letter of the captured piece, if any, in the case of its owner. */
      captured?: string,
      /** Who was removed, if the move was an attack (Luzhanqi). */
      removed?: Removed,
      /** The two pieces that met, if the rule set shows them. */
      met?: Met,
      /** The time that the move took, the credit for lag already taken off. */
      spent_ms: Millis,
      /** The credit for lag that the server gave. */
      lag_ms: Millis,
      /** The clocks after it. */
      clocks: Clocks,
    }
  | { type: "draw_offered",
      /** Who offers. */
      seat: Seat,
    }
  | { type: "draw_declined",
      /** Who declined. */
      seat: Seat,
    }
  | { type: "clocks_held",
      /** Why. */
      reason: HoldReason,
      /** The clocks as they stand. */
      clocks: Clocks,
    }
  | { type: "clocks_released",
      /** The clocks as they run. */
      clocks: Clocks,
    }
  | { type: "ended",
      /** How. */
      outcome: Outcome,
      /** The clocks at the end. */
      clocks: Clocks,
    }
  | { type: "revealed",
      /** The setups with their salts. */
      setups: BySeat<RevealedSetup>,
    }
  | { type: "rematch_offered",
      /** Who offers. */
      seat: Seat,
    }
  | { type: "rematch_agreed",
      /** The new game. */
      next: GameId,
    }
  | { type: "chat",
      /** Who. */
      seat: Seat,
      /** What. */
      text: string,
    }
  | { type: "withheld",
    };

/** A game. Version 7, so that ids sort by creation; for a game by link it is also the link. */
export type GameId = string;

/** What is happening around a game without being part of its record. */
export type GameNotice = {
  /** The game. */
  game: GameId,
  /** What. */
  notice: GameNoticeKind,
};

/** The notices about a game. */
export type GameNoticeKind =
  | { type: "presence",
      /** Who is connected now. */
      presence: Presence,
    }
  | { type: "spectator_chat",
      /** What, the oldest first. */
      lines: Array<SpectatorLine>,
    }
  | { type: "set_up",
      /** Six ranks, the highest of the board first. */
      setup: string,
    }
  | { type: "notes",
      /** The notes. */
      notes: string,
    }
  | { type: "rated",
      /** What it has changed. */
      ratings: BySeat<RatingChange>,
    }
  | { type: "storage_down",
    }
  | { type: "storage_back",
    }
  | { type: "dropped",
    };

/** A page of games, the newest first. */
export type GamePage = {
  /** The games. A search for what is rare can stop before the page is full, even with none: go on with `before`. */
  games: Array<GameSummary>,
  /** Pass as `before` for the next page; null on the last. */
  before: GameId | null,
};

/** A game in a list. */
export type GameSummary = {
  /** The game. */
  game: GameId,
  /** The rule set. */
  ruleset: string,
  /** Options that differ from the rule set's. */
  options: { [key in string]: OptionValue },
  /** The time control. */
  time_control: TimeControl,
  /** Who finds the game. */
  visibility: Visibility,
  /** Whether the result counts for the players' ratings; left out for false. */
  rated?: boolean,
  /** A challenge: the player who alone may join. */
  invited?: Player,
  /** Where the game is in its life. */
  status: Status,
  /** The players; null for a free seat. */
  players: BySeat<Player | null>,
  /** How it ended. */
  outcome: Outcome | null,
  /** The number of moves played; of a running game, null. */
  plies: Ply | null,
  /** When it was opened, in server time. */
  created_at: Millis,
  /** When it ended. */
  ended_at: Millis | null,
};

/** A game as it stands, for one viewer. */
export type GameView = {
  /** The game. */
  game: GameId,
  /** How far this view goes; the next live event has the number after it. */
  cursor: Cursor,
  /** The rule set. */
  ruleset: string,
  /** Every option of the rule set with the value it has in this game. */
  options: { [key in string]: OptionValue },
  /** The time control, its defaults filled in. */
  time_control: TimeControl,
  /** Who finds the game. */
  visibility: Visibility,
  /** Whether the result counts for the players' ratings; left out for false. */
  rated?: boolean,
  /** What a rated game has changed, once it has ended. A result that was withdrawn changes nothing. */
  ratings?: BySeat<RatingChange>,
  /** A challenge: the player who alone may join. */
  invited?: Player,
  /** By how much spectators see the game later, as long as it goes on; left out for not at all. */
  spectator_delay?: SpectatorDelay,
  /** Where the game is in its life. */
  status: Status,
  /** The players; null for a free seat. */
  players: BySeat<Player | null>,
  /** The viewer's own seat; null for a spectator. */
  you: Seat | null,
  /** The position, as this viewer knows it. */
  position: Position,
  /** The moves so far. */
  moves: Array<PlayedMove>,
  /** The clocks. */
  clocks: Clocks,
  /** The open draw offer. */
  draw_offer: Offer | null,
  /** The open rematch offer. */
  rematch_offer: Offer | null,
  /** The game that followed this one by a rematch. */
  next: GameId | null,
  /** How the game ended. */
  outcome: Outcome | null,
  /** In a game with setups: how far they are. */
  setup?: SetupView,
  /** What the viewer has noted on this game, seen by nobody else; absent for spectators. */
  notes?: string,
  /** What the players said to each other; empty for anybody else. */
  chat: Array<ChatLine>,
  /** What spectators said last, at most 100 lines; for the players only once the game is over. Left out for none. */
  spectator_chat?: Array<SpectatorLine>,
  /** Who is connected. */
  presence: Presence,
  /** When the game was opened, in server time. */
  created_at: Millis,
  /** The server's time at this moment. */
  server_time: Millis,
  /** The record of this game is damaged: this is the game up to there, to be looked at and not to be played. Absent for false. */
  damaged?: boolean,
};

/** `GET /api/games`: which games, the newest first. All conditions hold together. */
export type GamesQuery = {
  /** Games in this state. */
  status?: Status,
  /** Games of this player. */
  player?: PlayerId,
  /** Games of `player` against this one. */
  against?: PlayerId,
  /** Games of this kind, such as `xiangqi`. */
  game?: string,
  /** Games of this rule set. */
  ruleset?: string,
  /** Games that ended so. */
  result?: ResultWord,
  /** Games that ended for this reason. */
  reason?: EndReason,
  /** Ended games of at least so many plies. */
  plies_from?: number,
  /** Ended games of fewer plies than this. */
  plies_until?: number,
  /** Games both of whose players had at least this rating when they sat down. */
  rating_from?: number,
  /** Games both of whose players had a rating below this one then. */
  rating_until?: number,
  /** Games that count for ratings; false: those that do not. */
  rated?: boolean,
  /** Games with this kind of clock. */
  clock?: ClockWord,
  /**
   * Ended games for everybody that have reached this position within their first 30 plies, some moments after their end; needs
   * `ruleset`.
   */
  position?: string,
  /** Games opened at or after this server time. */
  from?: Millis,
  /** Games opened before this server time. */
  until?: Millis,
  /** Games older than this one: the `before` of the last page. */
  before?: GameId,
  /** How many, 1 to 100; absent: 50. */
  limit?: number,
};

/** A new identity. */
export type Guest = {
  /** Who this is. */
  player: Player,
  /** The secret that proves it; shown once. */
  token: Token,
};

/** What two players have made of each other. Games that were broken off or decided by a moderator are not in it. */
export type HeadToHead = {
  /** The player. */
  player: PlayerId,
  /** The other. */
  against: PlayerId,
  /** What the player has won, drawn and lost, by rule set and seat. */
  results: Array<Tally>,
};

/** `hello`: who is there. The first message of a connection, within 10 seconds; or `guest`. */
export type Hello = {
  /** The token of an identity. Absent: the identity of the connection's cookie, or none (a spectator). */
  token?: Token,
};

/** What brings a change about. */
export type HistoryKind = "played" | "withdrawn" | "revised";

/** One change in a player's history. */
export type HistoryPoint = {
  /** Its number: 1, 2, 3 … without gaps. */
  number: number,
  /** When. */
  at: Millis,
  /** What brought it about. */
  kind: HistoryKind,
  /** The game; null for a game by link of which you are no player. */
  game: GameId | null,
  /** The rating before, in points. */
  before: number,
  /** The rating after, in points. */
  after: number,
  /** Its standard deviation, in points. */
  deviation: number,
};

/** Clocks standing still. */
export type Hold = {
  /** Why. */
  reason: HoldReason,
  /** When they run again at the latest, in server time; at once when both players are there. */
  until: Millis,
};

/** Why clocks stand. */
export type HoldReason = "start" | "restart" | "storage";

/** One's own place in a pool. */
export type InPool = {
  /** What it is cancelled by, or asked after. */
  id: SeekId,
  /** The rule set. */
  ruleset: string,
  /** The time control's name. */
  time: string,
  /** Whether the results count. */
  rated?: boolean,
  /** Since when, in server time. */
  since: Millis,
};

/** A new API token. The secret is shown this once. */
export type IssuedToken = {
  /** Everything about it. */
  about: ApiToken,
  /** The secret. */
  token: Token,
};

/** A page of a leaderboard, the strongest first. On it are players whose rating is not provisional and who have played of late. */
export type Leaderboard = {
  /** The rule set. */
  ruleset: string,
  /** The players with their ratings. */
  leaders: Array<Player>,
  /** The `after` of the next page; null if this is the last. */
  after: string | null,
};

/** `GET /api/leaderboards/{game}/{set}`: which page. */
export type LeaderboardQuery = {
  /** Players after these: the `after` of the last page. */
  after?: string,
  /** How many, 1 to 100; absent: 50. */
  limit?: number,
};

/** `POST /api/players/{id}/limit`: a player meets only others of whom the same is said, and is heard by nobody. */
export type Limit = {
  /** Why, for the audit log; the player does not see it: 1 to 200 characters. */
  reason: string,
};

/** A running game, as spectators know it. */
export type LiveGame = {
  /** The game. */
  game: GameId,
  /** The rule set. */
  ruleset: string,
  /** Options that differ from the rule set's. */
  options: { [key in string]: OptionValue },
  /** The time control. */
  time_control: TimeControl,
  /** Whether the result counts for the players' ratings; left out for false. */
  rated?: boolean,
  /** The players. */
  players: BySeat<Player>,
  /** The number of moves played. */
  ply: Ply,
  /** How many watch without a seat. */
  spectators: number,
  /** When it was opened, in server time. */
  created_at: Millis,
};

/** `GET /api/live`: games of the public in which play goes on, those of the highest rated players first. */
export type LiveGames = {
  /** The first of them. */
  games: Array<LiveGame>,
  /** How many there are in all. */
  total: number,
};

/** `GET /api/live`: which running games. All conditions hold together. */
export type LiveQuery = {
  /** Games of this kind, such as `xiangqi`. */
  game?: string,
  /** Games of this rule set. */
  ruleset?: string,
  /** How many, 1 to 100; absent: 50. */
  limit?: number,
};

/** What changes with every move, for a client that catches up. */
export type LiveState = {
  /** What a rated game has changed, once it has ended. */
  ratings?: BySeat<RatingChange>,
  /** The position, as this viewer knows it. */
  position: Position,
  /** The clocks. */
  clocks: Clocks,
  /** In a game with setups: how far they are. */
  setup?: SetupView,
  /** What the viewer has noted on this game. */
  notes?: string,
  /** What spectators said last, in place of what was known of it; as in a view. */
  spectator_chat?: Array<SpectatorLine>,
  /** Who is connected. */
  presence: Presence,
  /** The server's time at this moment. */
  server_time: Millis,
};

/** The lobby as it stands, for one visitor. */
export type Lobby = {
  /** Open seeks, the oldest first, at most 200 of them. */
  seeks: Array<Seek>,
  /** How many more there are. */
  more: number,
  /** Pools in which somebody waits. */
  pools: Array<Pool>,
  /** How many are here. */
  counts: Counts,
  /** The visitor's own seeks. */
  own_seeks: Array<Seek>,
  /** The visitor's own places in pools. */
  own_pools: Array<InPool>,
  /** Challenges that the visitor has got, and those that the visitor has made, which nobody has answered. */
  challenges: Array<GameSummary>,
  /** The games that the visitor is playing. */
  playing: Array<GameId>,
  /** The server's time at this moment. */
  server_time: Millis,
};

/** What the lobby tells: `{"lobby": {"type": …}}`. */
export type LobbyNotice = {
  /** What. */
  lobby: LobbyNoticeKind,
};

/** The notices of the lobby. */
export type LobbyNoticeKind =
  | { type: "changed",
      /** Seeks that are open now. One may come that was known. */
      added?: Array<Seek>,
      /** Seeks that are not open any more. One may come that was not known. */
      removed?: Array<SeekId>,
      /** Pools in which another number waits. */
      pools?: Array<Pool>,
      /** How many are here; left out if that is as before. */
      counts?: Counts,
    }
  | { type: "paired",
      /** The game. */
      game: GameId,
      /** Those of the receiver's own seeks that it came of; null for the player who accepted one. */
      seek: SeekId | null,
    }
  | { type: "challenged",
      /** The open game: `join` it or `decline`. */
      game: GameSummary,
    }
  | { type: "challenge_closed",
      /** The game. */
      game: GameId,
    }
  | { type: "seek_ended",
      /** The seek. */
      seek: SeekId,
      /** Why. */
      error: ApiError,
    }
  | { type: "reset",
    };

/** A line of chat as moderators see it. */
export type LoggedLine = {
  /** The number of its event. */
  seq: Seq,
  /** When it was said. */
  at: Millis,
  /** How many moves had been played. */
  ply: Ply,
  /** Who said it. */
  seat: Seat,
  /** What; empty if the server has not kept it. */
  text: string,
  /** Whether nobody else has heard it, since the player was limited. */
  unheard?: boolean,
};

/** Something that a spectator said, as moderators see it. */
export type LoggedSpectatorLine = {
  /** Its number at this game. */
  number: number,
  /** When it was said. */
  at: Millis,
  /** Who said it. */
  player: Player,
  /** What. */
  text: string,
  /** Whether nobody else has heard it, since the player was limited. */
  unheard?: boolean,
};

/** That no new games can be opened. */
export type Maintenance = {
  /** Why, and perhaps for how long. */
  message: string,
  /** Since when. */
  since: Millis,
};

/** `GET /api/me`: whom the server takes one for. */
export type Me = {
  /** The player. */
  id: PlayerId,
  /** The name. */
  name: string,
  /** What the player may do here. */
  role: Role,
  /** Whether this is a guest, without password. */
  guest: boolean,
  /** What this token may be used for. A session's are all. */
  scopes: Array<Scope>,
};

/** Two pieces that met, where the rule set shows them. */
export type Met = {
  /** The attacker's letter, in the case of its owner. */
  attacker: string,
  /** The attacked piece's letter, in the case of its owner. */
  defender: string,
};

/** Milliseconds: a span, or, where the field's name says so, a point in server time (since 1970-01-01 UTC). */
export type Millis = number;

/** The data of `move`. */
export type Move = {
  /** The game. */
  game: GameId,
  /** The command's id. */
  command: CommandId,
  /** The number that this move will have, from 1: a tab that has missed a move can't play on an old position. */
  ply: Ply,
  /** From and to, such as `a3a4`. */
  move: string,
};

/** A move of some board, from and to, such as `a3a4`. */
export type MoveText = string;

/** `POST /api/players/{id}/mute`: a player may not chat, neither at games nor among spectators. */
export type Mute = {
  /** Until when; left out: for good. */
  until?: Millis,
  /** The reason, shown to the player: 1 to 200 characters. */
  reason: string,
};

/** `POST /api/account/password`. */
export type NewPassword = {
  /** The password until now. */
  old: Password,
  /** The password from now on. */
  new: Password,
  /** Whether the tokens for programs end as well; left out, they do. */
  revoke_tokens: boolean,
};

/** `POST /api/reports`: tells the moderators of a player. */
export type NewReport = {
  /** Of whom. */
  player: PlayerId,
  /** The game it is about. */
  game?: GameId,
  /** The event in that game, such as a line of chat. */
  seq?: Seq,
  /** What is wrong. */
  reason: ReportReason,
  /** What else there is to say: at most 1000 characters. */
  text?: string,
};

/** `PUT /api/players/{id}/role`. */
export type NewRole = {
  /** What the player may do from now on. */
  role: Role,
  /** Why, kept in the audit log: at most 200 characters. */
  reason?: string,
};

/** `POST /api/account/tokens`. */
export type NewToken = {
  /** What it is for, in its owner's words: 1 to 40 characters. */
  name: string,
  /** What it may be used for; at least one. */
  scopes: Array<Scope>,
  /** After how many days it ends, 1 to 3650. Left out: never. */
  days?: number,
};

/** `note`: keeps the player's own notes on a game, in place of those before. Nobody else ever sees them. */
export type Note = {
  /** The game. */
  game: GameId,
  /** The notes, at most 4,000 bytes; what they mean is the client's affair. */
  notes: string,
};

/** A request without fields: `guest`, `ping`. */
export type Nothing = Record<symbol, never>;

/** Something to read. */
export type Notice = {
  /** What it says. */
  text: string,
  /** Since when it stands. */
  since: Millis,
  /** When it ends. */
  until: Millis,
};

/** An open offer. */
export type Offer = {
  /** Who offers. */
  seat: Seat,
  /** The event that made it. */
  seq: Seq,
};

/**
 * What games have made of a position. Counted are ended games for everybody, some moments after their end; not those that were aborted,
 * and not those with other options than their rule set's.
 */
export type Opening = {
  /** The rule set. */
  ruleset: string,
  /** The position: the board and the side to move, as a position's text begins. In Luzhanqi the pieces are covered. */
  position: string,
  /** What came of all games that have reached it. A game that has come back to it counts once. */
  results: OpeningResults,
  /** What was played when a game reached it first, the most often played first. */
  moves: Array<OpeningMove>,
  /** The games that were opened last among those that have reached it, at most 5. */
  newest: Array<GameSummary>,
};

/** A move that was played in a position. */
export type OpeningMove = {
  /** From and to. */
  move: MoveText,
  /** What came of it. */
  results: OpeningResults,
};

/** `GET /api/openings`: which position. Without `fen` and `moves` it is where games begin. */
export type OpeningQuery = {
  /** The rule set. */
  ruleset: string,
  /** The position as text, whole or its first two fields; the plies that it counts make no difference, nor does in Luzhanqi what stands on the points. */
  fen?: string,
  /** The moves from the start to the position, with commas between them; not in Luzhanqi, where they do not tell it. */
  moves?: string,
};

/** What came of games. */
export type OpeningResults = {
  /** How many games. */
  games: number,
  /** Won by the first seat. */
  first: number,
  /** Drawn. */
  draws: number,
  /** Won by the second seat. */
  second: number,
  /** The mean of the players' ratings as they sat down, in games both of whose players had one; null without such games. */
  mean_rating: number | null,
};

/** Something that is not for everybody. */
export type Operation = "create_admin" | "set_password" | "change_role" | "import_role" | "import_token" | "ban" | "unban" | "rename" | "mute" | "unmute" | "limit" | "unlimit" | "withdraw" | "restore" | "adjudicate" | "read_player" | "read_chat" | "list_games" | "see_game" | "start_maintenance" | "end_maintenance" | "put_up_notice" | "take_down_notice" | "read_reports" | "close_report" | "read_audit";

/** An option's value in `create_game`. */
export type OptionValue = boolean | number | string;

/** How a game ended. */
export type Outcome = {
  /** The winner; null for a draw and for an aborted game (`reason` tells which). */
  winner: Seat | null,
  /** Why. */
  reason: EndReason,
};

/** `GET /api/admin/games/{id}`: a game as the referee knows it, also while it goes on. */
export type OverseenGame = {
  /** The game as spectators see it, but for the position, which has every identity. */
  view: GameView,
  /** In a game with setups: both, as they were taken, or as they stand while the players set up. */
  setups: BySeat<string> | null,
  /** When play began. */
  started_at: Millis | null,
  /** When the game ended. */
  ended_at: Millis | null,
  /** Every move with its time. */
  moves: Array<OverseenMove>,
  /** The turn that no move has ended; null before play began, and after a move that ended the game. */
  turn: OverseenTurn | null,
  /** When the players came and went while the game was not over, the earliest first. */
  attendance: Array<Attended>,
};

/** A move as the referee knows it, and how long it took. */
export type OverseenMove = {
  /** Its number, from 1. */
  ply: Ply,
  /** Who made it. */
  seat: Seat,
  /** The move. */
  move: MoveText,
  /** The position after it, with every identity. */
  fen: string,
  /** When it happened. */
  at: Millis,
  /** How long after the move before it, or after play began, whatever the clocks did. */
  after_ms: Millis,
  /** What it cost on the clock. */
  spent_ms: Millis,
  /** What was taken off for the way of the message. */
  lag_ms: Millis,
  /**
   * How long the player was not connected during this turn, but for when the server was not there or the clocks stood; null if
   * that is not known.
   */
  away_ms: Millis | null,
  /** What both have left after it; null without a clock. */
  left: BySeat<TimeLeft> | null,
};

/** The last turn of a game, until now or until the end. */
export type OverseenTurn = {
  /** Who is or was on the move. */
  seat: Seat,
  /** How long it has taken, whatever the clocks did. */
  after_ms: Millis,
  /** As in [`OverseenMove`]. */
  away_ms: Millis | null,
};

/** A password on its way. It has no `Debug` and no `Display`: [`Password::reveal`] is the only way out. */
export type Password = string;

/** Who has a new password, with the new session's token. It is shown this once; browsers also get it as a cookie. */
export type PasswordChanged = {
  /** The account. */
  player: Player,
  /** Proves the identity from now on. */
  token: Token,
  /** How many tokens for programs have ended with the old password. */
  revoked_tokens: number,
};

/** The data of a command that needs no more than the game and its own id. */
export type Plain = {
  /** The game. */
  game: GameId,
  /** The command's id. */
  command: CommandId,
};

/** A move of the list. */
export type PlayedMove = {
  /** The move's number. */
  ply: Ply,
  /** From and to. */
  move: MoveText,
  /** The letter of the captured piece, if any. */
  captured?: string,
  /** Who was removed, if the move was an attack (Luzhanqi). */
  removed?: Removed,
  /** The two pieces that met, if the rule set shows them. */
  met?: Met,
  /** The time that the move took, the credit for lag taken off. */
  spent_ms: Millis,
};

/** A player as others see them. */
export type Player = {
  /** The player's id. */
  id: PlayerId,
  /** The shown name. */
  name: string,
  /** In a game: the rating in its rule set when it was joined; left out for guests. */
  rating?: Rating,
  /** Whether this is a program; left out for false. */
  bot?: boolean,
};

/** A player: a guest or an account. */
export type PlayerId = string;

/** Where a player is: `GET /api/players/{id}/presence`. */
export type PlayerPresence = {
  /** Who. */
  player: PlayerId,
  /** Whether there is a connection. */
  online: boolean,
  /** The games that the player is playing; games by link are shown to their players only. */
  playing: Array<GameId>,
};

/** `GET /api/players`: which account. */
export type PlayerQuery = {
  /** Its name, however the letters are cased. */
  name: string,
};

/** `GET /api/admin/players/{id}`: what moderators have decided of a player. */
export type PlayerStanding = {
  /** The player. */
  player: PlayerId,
  /** The name. */
  name: string,
  /** What the player is here. */
  role: Role,
  /** Since when the player has an account; null for a guest. */
  since: Millis | null,
  /** When the account was deleted. */
  deleted_at: Millis | null,
  /** The ban that holds now. */
  ban: Sanction | null,
  /** The mute that holds now. */
  mute: Sanction | null,
  /** Since when the player meets only others of whom the same is said. */
  limited_at: Millis | null,
};

/** A move's number in its game, from 1; 0 before the first. */
export type Ply = number;

/** A pool. */
export type Pool = {
  /** The rule set. */
  ruleset: string,
  /** The time control's name, such as `5+3`. */
  time: string,
  /** Whether the results count. */
  rated?: boolean,
  /** How many wait. */
  waiting: number,
};

/** Every pool. */
export type Pools = {
  /** The time controls by name. */
  times: { [key in string]: TimeControl },
  /** The pools. */
  pools: Array<Pool>,
};

/** A position as one viewer knows it. */
export type Position = {
  /** The position in the notation of the rules. */
  fen: string,
  /** The moves played. */
  ply: Ply,
  /** The side to move. */
  turn: Seat,
  /** Whether the side to move is in check (Xiangqi); left out for false. */
  check?: boolean,
  /** The legal moves, for the player on the move alone; absent for everybody else. */
  legal?: Array<MoveText>,
  /** Moves that would be legal but for a ban, for the player on the move alone; left out for none. */
  banned?: Array<BannedMove>,
};

/** A position of a stored game. */
export type PositionAtPly = {
  /** The moves played. */
  ply: Ply,
  /** The move that led here; null at the start. */
  move: MoveText | null,
  /** The position in the notation of the rules. */
  fen: string,
  /** Whether the side to move is in check (Xiangqi's); left out for false. */
  check?: boolean,
};

/** Every position of a game. */
export type Positions = {
  /** The game. */
  game: GameId,
  /** The position after each ply, the start first. */
  positions: Array<PositionAtPly>,
  /** There are more: they begin with this ply, which is `from` of the next page. */
  next?: Ply,
};

/** `GET /api/games/{id}/positions`: as whom they are shown. */
export type PositionsQuery = {
  /** As they were known to somebody while the game went on; once it is over. Absent: as you know them now. */
  as?: EyesWord,
  /** From the position after so many plies on; absent: from the start. */
  from?: Ply,
  /** How many at most, 1 to 5,000; absent: 5,000. */
  limit?: number,
};

/** Who is connected to a game. */
export type Presence = {
  /** The players. */
  players: BySeat<SeatPresence>,
  /** How many others watch; sent at most once a second. */
  spectators: number,
};

/** A player's profile. */
export type Profile = {
  /** The player. */
  id: PlayerId,
  /** The name of now. */
  name: string,
  /** What the player is here. */
  role: Role,
  /** Whether the account was deleted; left out for false. */
  deleted?: boolean,
  /** Since when the player has an account; null for guests. */
  since: Millis | null,
  /** The ratings, by rule set. */
  ratings: Array<RuleSetRating>,
  /** Games won, drawn and lost, by rule set and seat. Games by link are not counted. */
  results: Array<Tally>,
};

/** Notes to take the place of the caller's own. */
export type PutNotes = {
  /** The notes, at most 4,000 bytes; what they mean is the client's affair. */
  notes: string,
};

/** A setup to take the place of the caller's own. */
export type PutSetup = {
  /** Six ranks from the top of the board down, in the case of the caller's seat. */
  setup: string,
};

/** `PUT /api/admin/notice`: shows a notice to everybody, replacing the current one. */
export type PutUpNotice = {
  /** What it says: 1 to 300 characters. */
  text: string,
  /** For how many minutes later visitors see it as well: 1 to 10080. */
  minutes: number,
  /** Why, for the audit log: at most 200 characters. */
  reason?: string,
};

/** `quick_pair`: waits in a pool, where the server pairs those of similar rating. */
export type QuickPair = {
  /** The command's id; the same id waits once. */
  command: CommandId,
  /** The rule set. */
  ruleset: string,
  /** The time control by its name in `GET /api/lobby/pools`, such as `5+3`: minutes and seconds of increment. */
  time: string,
  /** Whether the result counts for the players' ratings. */
  rated?: boolean,
};

/** How strong a player is by the results so far, in one rule set. */
export type Rating = {
  /** The rating, in points of Glicko-2; 1500 is where everybody begins. */
  value: number,
  /** Whether there are too few results yet to rely on it. */
  provisional?: boolean,
};

/** What a game has changed for one of its players. */
export type RatingChange = {
  /** The rating before, in points. */
  before: number,
  /** The rating after, in points. */
  after: number,
  /** Whether there are still too few results to rely on it; left out for false. */
  provisional?: boolean,
};

/** A page of a player's changes in a rule set, the newest first: the data of a curve. */
export type RatingHistory = {
  /** The changes. */
  changes: Array<HistoryPoint>,
  /** The `before` of the next page; null if this is the last. */
  before: number | null,
};

/** Ratings from one to another, both included; without an end there is none. */
export type RatingRange = {
  /** The lowest. */
  min?: number,
  /** The highest. */
  max?: number,
};

/** `GET /api/players/{id}/ratings`: which changes, the newest first. */
export type RatingsQuery = {
  /** The rule set. */
  ruleset: string,
  /** Changes with a lower number: the `before` of the last page. */
  before?: number,
  /** How many, 1 to 100; absent: 50. */
  limit?: number,
};

/** Who is removed by an attack. */
export type Removed = "defender" | "attacker" | "both";

/** `PUT /api/players/{id}/name`: an account gets another name. */
export type Rename = {
  /** The new name; left out: one that is drawn. */
  name?: string,
  /** Why, for the audit log: 1 to 200 characters. */
  reason: string,
};

/** The name that an account has got. */
export type Renamed = {
  /** The name. */
  name: string,
};

/** A report as moderators see it. */
export type Report = {
  /** The report. */
  report: ReportId,
  /** When it was made. */
  at: Millis,
  /** By whom. */
  by: PlayerId,
  /** Of whom. */
  player: PlayerId,
  /** The game it is about. */
  game: GameId | null,
  /** The event in that game. */
  seq: Seq | null,
  /**
   * How many moves of that game had been played at that event; without one, when the report was made. Null if there is no such
   * game any more.
   */
  ply: Ply | null,
  /** Where the game is shown at that ply, as a path on this server. */
  link: string | null,
  /** What is wrong. */
  reason: ReportReason,
  /** What else there is to say. */
  text: string,
};

/** A report. Version 7, so that ids sort by time. */
export type ReportId = string;

/** What a moderator makes of a report. */
export type ReportOutcome = "upheld" | "dismissed" | "duplicate";

/** A page of open reports, the oldest first. */
export type ReportPage = {
  /** The reports. */
  reports: Array<Report>,
  /** The `after` of the next page; null if this is the last. */
  after: ReportId | null,
};

/** What is wrong. */
export type ReportReason = "cheating" | "manipulation" | "chat" | "name" | "stalling" | "other";

/** `GET /api/reports`: which page. */
export type ReportsQuery = {
  /** Reports after this one: the `after` of the last page. */
  after?: ReportId,
  /** How many, 1 to 100; absent: 50. */
  limit?: number,
};

/** A client's number for a request on one connection; its answer carries it as `re`. Any number will do, also a repeated one. */
export type RequestId = number;

/** How a game ended, as it is asked for. */
export type ResultWord = "first" | "second" | "draw" | "aborted";

/** A setup with the salt of its commitment. */
export type RevealedSetup = {
  /** Six ranks, the highest of the board first. */
  setup: string,
  /** 32 random bytes in hexadecimal digits. The commitment is the SHA-256 of these bytes and the setup's text after them. */
  salt: string,
};

/** What somebody is here. */
export type Role = "guest" | "player" | "bot" | "moderator" | "admin";

/** A player's rating in a rule set. */
export type RuleSetRating = {
  /** The rule set. */
  ruleset: string,
  /** The rating of now. */
  rating: Rating,
  /** Its standard deviation, in points: two of three times the true strength is no further off. */
  deviation: number,
  /** When the last rated game ended; null if none counts any more. */
  played_at: Millis | null,
};

/** The end and the reason of a ban or mute. */
export type Sanction = {
  /** Until when; null: for good. */
  until: Millis | null,
  /** Why. */
  reason: string,
};

/** What is to be saved under the name that the path has. */
export type SaveSetup = {
  /** Six ranks, as the first seat writes them. */
  setup: string,
};

/** A saved setup. */
export type SavedSetup = {
  /** What its player calls it. */
  name: string,
  /** Six ranks, as the first seat writes them. Who sits on the second seat gets it turned by 180°. */
  setup: string,
};

/** All setups of a player, sorted by name. */
export type SavedSetups = {
  /** The setups. */
  setups: Array<SavedSetup>,
};

/** `POST /api/games/{id}/spectator_chat`: the same. */
export type SayToSpectators = {
  /** The command's id; a line that is sent twice with the same id is said once. */
  command: CommandId,
  /** The line, 1 to 300 characters, without control characters. */
  text: string,
};

/** What an API token may be used for. A session may do everything. */
export type Scope = "read" | "play" | "bot";

/** One of the two sides of a game; `first` moves first. */
export type Seat = "first" | "second";

/** The seat that a game's creator asks for. */
export type SeatChoice = "first" | "second" | "random";

/** Whether a player is there. */
export type SeatPresence = {
  /** Whether the player has a connection to this game. */
  connected: boolean,
  /** If not: when the opponent may claim the game, in server time; null if never. */
  claim_at: Millis | null,
};

/** A seek that everybody sees. */
export type Seek = {
  /** The seek. */
  id: SeekId,
  /** Who seeks, with the rating in this rule set. */
  player: Player,
  /** The rule set. */
  ruleset: string,
  /** Options that differ from the rule set's. */
  options: { [key in string]: OptionValue },
  /** The time control, its defaults filled in. */
  time_control: TimeControl,
  /** Whether the result counts for the players' ratings; left out for false. */
  rated?: boolean,
  /** The seat of the seek's owner. */
  seat: SeatChoice,
  /** The ratings that may accept; left out if everybody may. */
  rating?: RatingRange,
  /** By how much spectators will see the game later; left out for not at all. */
  spectator_delay?: SpectatorDelay,
  /** Since when, in server time. */
  since: Millis,
};

/** Somebody's wish to play, on the board of the lobby or in a pool. Version 7, so that ids sort by time. */
export type SeekId = string;

/** What has become of an own seek. */
export type SeekState =
  | { type: "open",
    }
  | { type: "paired",
      /** The game. */
      game: GameId,
    }
  | { type: "gone",
    };

/** An event's place in its game: 1, 2, 3 … without gaps, the same for every viewer. */
export type Seq = number;

/** What the server tells every connection. */
export type ServerNotice = {
  /** What. */
  notice: ServerNoticeKind,
};

/** The notices of the server. */
export type ServerNoticeKind =
  | { type: "restarting",
      /** When to come back; different for each connection, so that not all come at once. */
      retry_in_ms: Millis,
    }
  | { type: "slow_down",
    }
  | { type: "announcements",
      /** All that stands now. */
      standing: Announcements,
    };

/** A place where one is signed in. */
export type Session = {
  /** To end it by. */
  id: string,
  /** Whether it is the one that asks. */
  current: boolean,
  /** What the browser or program called itself when it signed in. */
  agent?: string,
  /** Since when. */
  created_at: Millis,
  /** When it was last used, give or take a few minutes. */
  last_seen_at: Millis,
  /** When it ends by itself. */
  expires_at: Millis,
};

/** `GET /api/account/sessions`: the newest first. */
export type SessionList = {
  /** All places where one is signed in. */
  sessions: Array<Session>,
};

/** `set_up`: changes the player's own setup while both set up (Luzhanqi). Nobody else is notified. */
export type SetUp = {
  /** The game. */
  game: GameId,
  /** Six ranks, the highest of the board first, such as `DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX` for the first seat. */
  setup: string,
};

/** Where a game with setups is, for one viewer. */
export type SetupView = {
  /** While both set up: when the setups as they stand are taken, in server time; null once play has begun. */
  until: Millis | null,
  /** Who has said that they are ready. */
  ready: BySeat<boolean>,
  /** The viewer's own setup: six ranks, the highest of the board first. Null for a spectator. */
  yours: string | null,
  /** From the beginning of play on: the SHA-256 of each side's salt and setup, in hexadecimal digits. */
  commitments: BySeat<string> | null,
  /** Once the game has ended: what was committed to. */
  revealed: BySeat<RevealedSetup> | null,
};

/** Who has signed in, with the new session's token. It is shown this once; browsers also get it as a cookie. */
export type SignedIn = {
  /** The account. */
  player: Player,
  /** Proves the identity from now on. */
  token: Token,
};

/** `spectator_chat`: says something to those who watch a game without a seat. The players see it when the game is over. */
export type SpectatorChat = {
  /** The game. */
  game: GameId,
  /** The command's id; a line that is sent twice with the same id is said once. */
  command: CommandId,
  /** The line, 1 to 300 characters, without control characters. */
  text: string,
};

/** `GET /api/games/{id}/spectator_chat`: some of what spectators have said. */
export type SpectatorChatPage = {
  /** The lines, the oldest first. */
  lines: Array<SpectatorLine>,
  /** Pass as `before` for the lines before these; null if there are none. */
  before: number | null,
};

/** `GET /api/games/{id}/spectator_chat`: which lines. */
export type SpectatorChatQuery = {
  /** Lines with a lower number: the `before` of the last page. */
  before?: number,
  /** How many, 1 to 100; absent: 50. */
  limit?: number,
};

/** How much later, while the game goes on. Its end shows everything at once. */
export type SpectatorDelay =
  | { "plies": number }
  | { "minutes": number };

/** A line of the spectators' chat. */
export type SpectatorLine = {
  /** Its number at this game; later lines have higher ones. */
  number: number,
  /** When, in server time. */
  at: Millis,
  /** Who. */
  player: Player,
  /** What. */
  text: string,
};

/** `PUT /api/admin/maintenance`: no new games from now on. */
export type StartMaintenance = {
  /** The text that everybody sees: 1 to 300 characters. */
  message: string,
  /** Why, for the audit log: at most 200 characters. */
  reason?: string,
};

/** Where a game is in its life. */
export type Status = "open" | "playing" | "ended";

/** How often a player has won, drawn and lost. */
export type Tally = {
  /** The rule set. */
  ruleset: string,
  /** The player's seat. */
  seat: Seat,
  /** Games won. */
  won: number,
  /** Games drawn. */
  drawn: number,
  /** Games lost. */
  lost: number,
};

/** A clock and the patience with an absent player. */
export type TimeControl = {
  /** How time is counted. */
  clock: Clock,
  /**
   * How long a disconnected player is waited for before the opponent may claim the game, 5,000 to 3,600,000
   * (5 seconds to an hour). Absent: a tenth of the expected length of the game, between 30 seconds and 5 minutes;
   * 10 minutes without a clock. A `per_move` game knows no absence: its clock alone decides, and a value is refused.
   */
  absence_ms?: Millis,
  /**
   * In a game with setups: how long both may set up, 10,000 to 1,209,600,000 (10 seconds to 14 days). Absent: 3 minutes. In
   * other games a value is refused.
   */
  setup_ms?: Millis,
};

/** What one seat has left. */
export type TimeLeft = {
  /** Of the budget, of the period, or of the move. */
  ms: Millis,
  /** Byo-yomi periods left, the running one included; null in other time controls. */
  periods?: number,
};

/** The secret that proves an identity. It has no `Debug` and no `Display`: [`Token::reveal`] is the only way out. */
export type Token = string;

/** `GET /api/account/tokens`: the newest first. */
export type TokenList = {
  /** All API tokens of the account. */
  tokens: Array<ApiToken>,
};

/** `GET /api/tv`: the featured games. */
export type Tv = {
  /** Of each kind of game. */
  channels: Array<Channel>,
};

/** `unwatch`: no more events of this game. */
export type Unwatch = {
  /** The game. */
  game: GameId,
};

/** `GET /api/games/{id}/verify`: what came of replaying a game that is over. */
export type Verification = {
  /** The game. */
  game: GameId,
  /**
   * Whether everything in it follows: each event as the referee would have let it happen, each move by the rules, each clock, the end;
   * and in Luzhanqi both setups as they were committed to, and every attack.
   */
  holds: boolean,
  /** How many events were judged. */
  events: number,
  /** How many moves were played again. */
  plies: Ply,
  /** Whether there were setups, and they are those that were committed to; null in a game without, or that has not come so far. */
  setups: boolean | null,
  /** The first thing that does not follow. */
  wrong: Wrong | null,
};

/** Who finds a game. */
export type Visibility = "public" | "link";

/** `watch`: asks for a game as it stands and for everything that follows. */
export type Watch = {
  /** The game. */
  game: GameId,
  /** How far the client has seen it; absent: nothing yet. */
  since?: Cursor,
};

/** The server's greeting. */
export type Welcome = {
  /** Who the server takes the client for; null for a spectator without identity. */
  player: Player | null,
  /** The server's version. */
  server: string,
  /** The server's time. */
  server_time: Millis,
};

/** Why something is done that may be done without a reason. */
export type Why = {
  /** Kept in the audit log: at most 200 characters. */
  reason?: string,
};

/** `POST /api/games/{id}/withdraw`: the game's result shall not count for ratings. */
export type Withdraw = {
  /** Why: 1 to 200 characters. */
  reason: string,
};

/** `POST /api/account/delete`. */
export type Withdrawal = {
  /** The account's password. */
  password: Password,
};

/** Something in a game that does not follow. */
export type Wrong = {
  /** The event. */
  seq: Seq,
  /** For people: what is wrong with it. */
  what: string,
};
