import type { ApiError, Current, ErrorCode } from './protocol';

/** The server has said no: after it nothing has happened, except where the protocol says otherwise. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** What kind of refusal; the words for users are found by it. */
  readonly code: ErrorCode;
  /** The path of the field at fault. */
  readonly field: string | undefined;
  /** With `stale` and `ahead`: where the game is. */
  readonly current: Current | undefined;
  /** With `rate_limited`: in how many milliseconds the same would pass. */
  readonly retryInMs: number | undefined;
  /** The status, of a refusal over HTTP. */
  readonly status: number | undefined;

  constructor(error: ApiError, status?: number) {
    super(error.message);
    this.code = error.code;
    this.field = error.field;
    this.current = error.current;
    this.retryInMs = error.retry_in_ms;
    this.status = status;
  }
}

/** The server could not be reached, or its answer was lost: it is not known what has happened. */
export class LinkLost extends Error {
  override readonly name = 'LinkLost';

  constructor(message = 'the connection was lost before an answer came') {
    super(message);
  }
}
