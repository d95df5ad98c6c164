import { uuid } from './environment';
import type {
  AuditQuery,
  Catalog,
  Credentials,
  ErrorBody,
  Perspective,
  GamesQuery,
  LeaderboardQuery,
  LiveQuery,
  NewPassword,
  NewReport,
  NewToken,
  EndingQuery,
  JudgeRequest,
  OpeningQuery,
  Paths,
  Pools,
  RatingsQuery,
  ReadRequest,
  Recover,
  ReportOutcome,
  ResultWord,
  Role,
  SaveSettings,
  SpectatorChatQuery
} from './protocol';
import { LinkLost, Refusal } from './refusal';

/** How long an answer may take. */
const PATIENCE_MS = 20_000;
/** The longest wait that a rate limit may ask for without notifying the user. */
const LIMIT_PATIENCE_MS = 4_000;
/** How often a request that came too fast is sent again. */
const LIMIT_TRIES = 3;

type Path = keyof Paths;
type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** What fills the braces of a path, its query and its body. */
interface Call<P extends Path> {
  at?: readonly string[];
  query?: Query | undefined;
  body?: Paths[P]['body'];
  /** Ends the wait. */
  signal?: AbortSignal | undefined;
}

/** The address of a resource: `{…}` filled in by what is named, in order. */
export function address(template: string, at: readonly string[], query: Query = {}): string {
  let next = 0;
  const path = template.replace(/\{\w+\}/g, () => encodeURIComponent(at[next++] ?? ''));
  const pairs = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const text = new URLSearchParams(pairs).toString();
  return text ? `${path}?${text}` : path;
}

function isRefusal(body: unknown): body is ErrorBody {
  return typeof body === 'object' && body !== null && 'error' in body;
}

/** Waits; rejects when `signal` ends the wait. */
export function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new LinkLost());
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new LinkLost());
    });
  });
}

/**
 * Asks for a resource. Rejects with `Refusal`, or with `LinkLost` if there is no answer of this server. What the server's rate limit
 * has refused did not happen, and is asked again when the server says that it would pass, if that is soon. What few pages ask for calls
 * it by itself; the rest is in `api`.
 */
export async function ask<P extends Path>(resource: P, call: Call<P> = {}): Promise<Paths[P]['answer']> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await askOnce(resource, call);
    } catch (error) {
      const wait = error instanceof Refusal && error.code === 'rate_limited' ? error.retryInMs : undefined;
      if (wait === undefined || wait > LIMIT_PATIENCE_MS || tries >= LIMIT_TRIES) throw error;
      await rest(wait, call.signal ?? new AbortController().signal);
    }
  }
}

async function askOnce<P extends Path>(resource: P, call: Call<P>): Promise<Paths[P]['answer']> {
  const [method = 'GET', template = ''] = resource.split(' ');
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const init: RequestInit = {
    method,
    credentials: 'same-origin',
    signal: call.signal ? AbortSignal.any([call.signal, patience]) : patience
  };
  if (call.body !== undefined) {
    init.body = JSON.stringify(call.body);
    init.headers = { 'content-type': 'application/json' };
  }
  let response: Response;
  let body: unknown = null;
  try {
    response = await fetch(address(template, call.at ?? [], call.query), init);
    if (response.status !== 204) body = await response.json();
  } catch {
    throw new LinkLost();
  }
  if (response.ok) return body as Paths[P]['answer'];
  if (isRefusal(body)) throw new Refusal(body.error, response.status);
  throw new LinkLost(`the server answered with status ${response.status}`);
}

let catalog: Promise<Catalog> | null = null;
let pools: Promise<Pools> | null = null;

/** Keeps an answer for as long as the page lives; a failure is not kept. */
function once<T>(kept: Promise<T> | null, fetched: () => Promise<T>, forget: () => void): Promise<T> {
  if (kept) return kept;
  const asked = fetched();
  asked.catch(forget);
  return asked;
}

/** Every resource of the server, with the identity of the browser's cookie. All reject with `Refusal` or `LinkLost`. */
export const api = {
  /** What there is to play. Asked for once. */
  catalog: () =>
    (catalog = once(
      catalog,
      () => ask('GET /api/catalog'),
      () => (catalog = null)
    )),

  // Who one is.
  me: () => ask('GET /api/me'),
  guest: () => ask('POST /api/guest'),
  register: (body: Credentials) => ask('POST /api/register', { body }),
  login: (body: Credentials) => ask('POST /api/login', { body }),
  /** Sets a new password with a recovery code, and signs in. */
  recover: (body: Recover) => ask('POST /api/recover', { body }),
  /** New recovery codes in place of all earlier ones, and how many are left. */
  makeRecoveryCodes: (password: string) => ask('POST /api/account/recovery_codes', { body: { password } }),
  recoveryCodesLeft: () => ask('GET /api/account/recovery_codes'),
  logout: () => ask('POST /api/logout'),
  password: (body: NewPassword) => ask('POST /api/account/password', { body }),
  removeAccount: (password: string) => ask('POST /api/account/delete', { body: { password } }),
  becomeBot: () => ask('POST /api/account/bot'),
  sessions: () => ask('GET /api/account/sessions'),
  removeSession: (id: string) => ask('DELETE /api/account/sessions/{id}', { at: [id] }),
  removeOtherSessions: () => ask('DELETE /api/account/sessions'),
  tokens: () => ask('GET /api/account/tokens'),
  addToken: (body: NewToken) => ask('POST /api/account/tokens', { body }),
  removeToken: (id: string) => ask('DELETE /api/account/tokens/{id}', { at: [id] }),

  // Games.
  games: (filter: GamesQuery = {}, signal?: AbortSignal) => ask('GET /api/games', { query: filter, signal }),
  game: (id: string) => ask('GET /api/games/{id}', { at: [id] }),
  events: async (id: string, since?: number) => {
    const { events, next } = await ask('GET /api/games/{id}/events', { at: [id], query: { since } });
    for (let from = next; from !== undefined;) {
      const page = await ask('GET /api/games/{id}/events', { at: [id], query: { since: from } });
      events.push(...page.events);
      from = page.next;
    }
    return { events };
  },
  /** `as` is for games that are over: what somebody knew of them while they went on. */
  positions: async (id: string, as?: Perspective) => {
    const { game, positions, next } = await ask('GET /api/games/{id}/positions', { at: [id], query: { as } });
    for (let from = next; from !== undefined;) {
      const page = await ask('GET /api/games/{id}/positions', { at: [id], query: { as, from } });
      positions.push(...page.positions);
      from = page.next;
    }
    return { game, positions };
  },

  /** Running games for everybody, those of the strongest players first. */
  live: (query: LiveQuery = {}, signal?: AbortSignal) => ask('GET /api/live', { query: { ...query }, signal }),
  /** The featured game of each kind. */
  tv: (signal?: AbortSignal) => ask('GET /api/tv', { signal }),

  /** What was played in a position, and what came of it. */
  opening: (query: OpeningQuery, signal?: AbortSignal) => ask('GET /api/openings', { query: { ...query }, signal }),

  /** What the tables know of an ending of Dou Shou Qi. */
  ending: (query: EndingQuery, signal?: AbortSignal) => ask('GET /api/tables', { query: { ...query }, signal }),

  /** The best move in a practice game whose move it is, and how good another move is. */
  hint: (id: string, move: string | null, signal?: AbortSignal) =>
    ask('POST /api/games/{id}/hint', { at: [id], body: move === null ? {} : { move }, signal }),

  /** The review of a game that is over: begun, followed, and another move in place of one that was played. */
  beginReview: (id: string, signal?: AbortSignal) => ask('POST /api/games/{id}/review', { at: [id], signal }),
  review: (id: string, after: number, signal?: AbortSignal) =>
    ask('GET /api/games/{id}/review', { at: [id], query: { after }, signal }),
  tryMove: (id: string, ply: number, move: string, signal?: AbortSignal) =>
    ask('POST /api/games/{id}/review/try', { at: [id], body: { ply, move }, signal }),

  /** What the rules say of a game that is stored nowhere. */
  judge: (asked: JudgeRequest, signal?: AbortSignal) => ask('POST /api/positions/judge', { body: asked, signal }),

  /** What the computer thinks of such a game's position. */
  positionHint: (asked: JudgeRequest, signal?: AbortSignal) => ask('POST /api/positions/hint', { body: asked, signal }),

  /** Reads a game's text as what can be judged. */
  readText: (asked: ReadRequest) => ask('POST /api/positions/read', { body: asked }),

  /** Has the server play a game that is over again. */
  verify: (id: string) => ask('GET /api/games/{id}/verify', { at: [id] }),

  /** What spectators have said. */
  spectatorChat: (id: string, query: SpectatorChatQuery = {}) =>
    ask('GET /api/games/{id}/spectator_chat', { at: [id], query: { ...query } }),

  // Saved setups of Luzhanqi.
  setups: () => ask('GET /api/setups'),
  saveSetup: (name: string, setup: string) => ask('PUT /api/setups/{name}', { at: [name], body: { setup } }),
  removeSetup: (name: string) => ask('DELETE /api/setups/{name}', { at: [name] }),

  // The lobby.
  /** The pools that there are. Asked for once: who waits in them is sent to the lobby. */
  pools: () =>
    (pools = once(
      pools,
      () => ask('GET /api/lobby/pools'),
      () => (pools = null)
    )),

  /** The computers that can be played against; none where the operator has switched them off. */
  computers: () => ask('GET /api/computers'),

  // Players.
  player: (id: string) => ask('GET /api/players/{id}', { at: [id] }),
  playerNamed: (name: string) => ask('GET /api/players', { query: { name } }),
  /** Players whose names contain a part, those whose names begin with it first. */
  playersCalled: (part: string, signal?: AbortSignal) => ask('GET /api/players/search', { query: { part }, signal }),
  presence: (id: string) => ask('GET /api/players/{id}/presence', { at: [id] }),
  ratingChanges: (id: string, query: RatingsQuery) =>
    ask('GET /api/players/{id}/ratings', { at: [id], query: { ...query } }),
  against: (id: string, other: string) => ask('GET /api/players/{id}/against/{other}', { at: [id, other] }),
  /** `ruleset` is its whole id, such as `xiangqi/standard`. */
  leaderboard: (ruleset: string, query: LeaderboardQuery = {}) =>
    ask('GET /api/leaderboards/{game}/{set}', { at: ruleset.split('/'), query: { ...query } }),
  blocks: () => ask('GET /api/account/blocks'),
  block: (player: string) => ask('PUT /api/account/blocks/{player}', { at: [player] }),
  removeBlock: (player: string) => ask('DELETE /api/account/blocks/{player}', { at: [player] }),
  /** Whom one follows, as they are just now. */
  following: () => ask('GET /api/account/following'),
  follow: (player: string) => ask('PUT /api/account/following/{player}', { at: [player] }),
  unfollow: (player: string) => ask('DELETE /api/account/following/{player}', { at: [player] }),
  /** Players with an account who are online and show it. */
  online: () => ask('GET /api/players/online'),
  /** Settings that follow the account. */
  accountSettings: () => ask('GET /api/account/settings'),
  saveSettings: (body: SaveSettings) => ask('PUT /api/account/settings', { body }),
  /** Whether others see one online. */
  presenceShown: () => ask('GET /api/account/presence'),
  showPresence: (shown: boolean) => ask('PUT /api/account/presence', { body: { shown } }),
  report: (body: NewReport) => ask('POST /api/reports', { body }),

  // Moderation.
  audit: (query: AuditQuery = {}, signal?: AbortSignal) => ask('GET /api/admin/audit', { query: { ...query }, signal }),
  reports: (after?: string) => ask('GET /api/reports', { query: { after } }),
  closeReport: (id: string, outcome: ReportOutcome) =>
    ask('POST /api/reports/{id}/close', { at: [id], body: { outcome } }),
  /** `until` in server time; without it for good. */
  ban: (player: string, reason: string, until?: number) =>
    ask('POST /api/players/{id}/ban', { at: [player], body: until === undefined ? { reason } : { reason, until } }),
  removeBan: (player: string) => ask('DELETE /api/players/{id}/ban', { at: [player] }),
  role: (player: string, role: Role, reason: string) =>
    ask('PUT /api/players/{id}/role', { at: [player], body: { role, reason } }),
  /** What moderators have decided of a player. */
  standing: (player: string) => ask('GET /api/admin/players/{id}', { at: [player] }),
  /** `until` as with `ban`. */
  mute: (player: string, reason: string, until?: number) =>
    ask('POST /api/players/{id}/mute', { at: [player], body: until === undefined ? { reason } : { reason, until } }),
  removeMute: (player: string) => ask('DELETE /api/players/{id}/mute', { at: [player] }),
  limit: (player: string, reason: string) => ask('POST /api/players/{id}/limit', { at: [player], body: { reason } }),
  removeLimit: (player: string) => ask('DELETE /api/players/{id}/limit', { at: [player] }),
  /** An empty name has one drawn. */
  rename: (player: string, reason: string, name: string) =>
    ask('PUT /api/players/{id}/name', { at: [player], body: name === '' ? { reason } : { reason, name } }),
  /** All games there are; as `games`. */
  allGames: (filter: GamesQuery = {}, signal?: AbortSignal) => ask('GET /api/admin/games', { query: filter, signal }),
  /** A game as the referee knows it. That somebody looked is written down. */
  oversee: (game: string) => ask('GET /api/admin/games/{id}', { at: [game] }),
  chatLog: (game: string) => ask('GET /api/admin/games/{id}/chat', { at: [game] }),
  startMaintenance: (message: string) => ask('PUT /api/admin/maintenance', { body: { message } }),
  endMaintenance: () => ask('DELETE /api/admin/maintenance', { body: {} }),
  putUpNotice: (text: string, minutes: number) => ask('PUT /api/admin/notice', { body: { text, minutes } }),
  takeDownNotice: () => ask('DELETE /api/admin/notice', { body: {} }),
  adjudicate: (game: string, result: ResultWord, reason: string) =>
    ask('POST /api/games/{id}/adjudicate', { at: [game], body: { command: uuid(), result, reason } }),
  withdraw: (game: string, reason: string) => ask('POST /api/games/{id}/withdraw', { at: [game], body: { reason } }),
  restore: (game: string) => ask('POST /api/games/{id}/restore', { at: [game] })
} satisfies Record<string, (...args: never[]) => Promise<unknown>>;
