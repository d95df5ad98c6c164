// What travels between the server and this client: the types of the OpenAPI document, and what follows from them.

import type { Requests, paths } from './openapi';

export * from './openapi';

/** One value for each seat. */
export interface BySeat<T> {
  first: T;
  second: T;
}

/** The word for what is asked. */
export type RequestType = keyof Requests;

/** What belongs to a request of one type. */
export type DataOf<T extends RequestType> = Requests[T]['data'];

/** What a request of one type is answered with, if it is not refused. */
export type AnswerTo<T extends RequestType> = Requests[T]['answer'];

type Method = 'get' | 'put' | 'post' | 'delete';

/** A method and a path: `GET /api/games`. */
type Resource = {
  [P in keyof paths]: { [M in Method]: paths[P][M] extends object ? `${Uppercase<M>} ${P}` : never }[Method];
}[keyof paths];

/** What there is, or null. */
type Given<T> = [NonNullable<T>] extends [never] ? null : NonNullable<T>;

type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : null;

type OperationTypes<O> = O extends { parameters: { query?: unknown }; requestBody?: unknown; responses: object }
  ? {
      query: Given<O['parameters']['query']>;
      body: Json<Given<O['requestBody']>>;
      answer: Json<O['responses'][keyof O['responses']]>;
    }
  : never;

/** What there is over HTTP. A refusal has another status, and an `ErrorBody`. */
export type Paths = {
  [R in Resource]: R extends `${infer M} ${infer P extends keyof paths}`
    ? OperationTypes<paths[P][Lowercase<M> & Method]>
    : never;
};

export type AuditQuery = Paths['GET /api/admin/audit']['query'];
export type EndingQuery = Paths['GET /api/tables']['query'];
export type GamesQuery = Paths['GET /api/games']['query'];
export type LeaderboardQuery = Paths['GET /api/leaderboards/{game}/{set}']['query'];
export type LiveQuery = Paths['GET /api/live']['query'];
export type OpeningQuery = Paths['GET /api/openings']['query'];
export type RatingsQuery = Paths['GET /api/players/{id}/ratings']['query'];
export type SpectatorChatQuery = Paths['GET /api/games/{id}/spectator_chat']['query'];
