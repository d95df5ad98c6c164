import type { Environment } from './environment';
import { LIMITS, type Answer, type AnswerFrame, type ApiError, type DataOf, type RequestType } from './protocol';
import { LinkLost, Refusal } from './refusal';

/** How a request may be treated. */
export interface Treatment {
  /** Sent again after a lost connection, and where the server asks for it. Only for what can be repeated without harm. */
  lasting: boolean;
  /** For so long from now on; then it is given up as `LinkLost`. */
  within: number;
}

/** What requests need of the connection. */
export interface RequestPort {
  online(): boolean;
  send(text: string): void;
}

/** After these the same request may be sent again; nothing has happened, or it is not known what has. */
const PASSING: ReadonlySet<string> = new Set(['not_stored', 'restarting', 'internal', 'busy', 'rate_limited']);
/** What is broken on the server is not tried forever. */
const INTERNAL_TRIES = 5;
const AGAIN_MS = 500;
const AGAIN_LONGEST_MS = 5_000;

interface Job {
  type: RequestType;
  /** Its message after the id. */
  rest: string;
  lasting: boolean;
  /** The id under which it was sent on this connection. */
  id: number | null;
  /** How often it was refused for something that passes. */
  refusals: number;
  /** Waiting for its next try. */
  resting: boolean;
  cancel: () => void;
  resolve(answer: Answer): void;
  reject(why: Refusal | LinkLost): void;
}

/** As long as an id can be. */
const LONGEST_ID = 4_000_000_000;
const encoder = new TextEncoder();

const message = (id: number, rest: string) => `{"id":${id},${rest}`;

/** Requests on their way, in the order in which they were made, and those that wait for the connection. */
export class Requests {
  readonly #environment: Environment;
  readonly #port: RequestPort;
  readonly #jobs = new Set<Job>();
  readonly #answers = new Map<number, (answer: AnswerFrame) => void>();
  #nextId = 1;

  constructor(environment: Environment, port: RequestPort) {
    this.#environment = environment;
    this.#port = port;
  }

  /** Whether no answer is on its way. */
  get idle(): boolean {
    return this.#answers.size === 0;
  }

  /** Asks, as soon as there is a connection. */
  ask<T extends RequestType>(type: T, data: DataOf<T>, treatment: Treatment): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const rest = JSON.stringify({ type, data }).slice(1);
      if (encoder.encode(message(LONGEST_ID, rest)).length > LIMITS.MESSAGE_BYTES) {
        reject(new Refusal({ code: 'bad_value', message: `a message has at most ${LIMITS.MESSAGE_BYTES} bytes` }));
        return;
      }
      const { lasting, within } = treatment;
      const job: Job = {
        type,
        rest,
        lasting,
        id: null,
        refusals: 0,
        resting: false,
        cancel: () => {},
        resolve,
        reject
      };
      if (Number.isFinite(within)) {
        job.cancel = this.#environment.after(within, () => this.#settle(job, () => reject(new LinkLost())));
      }
      this.#jobs.add(job);
      this.#send(job);
    });
  }

  /** Asks now or never: nobody waits for an answer that the connection has lost. */
  post<T extends RequestType>(type: T, data: DataOf<T>, then: (answer: Answer | ApiError) => void): void {
    if (!this.#port.online()) return;
    const id = this.#id();
    this.#answers.set(id, ({ ok, error }) => {
      const answer = ok ?? error;
      if (answer) then(answer);
    });
    this.#port.send(JSON.stringify({ id, type, data }));
  }

  /** The connection is there. */
  resume(): void {
    for (const job of [...this.#jobs]) if (job.id === null && !job.resting) this.#send(job);
  }

  /** The connection is gone: what can be repeated will be, the rest is given up. */
  lost(): void {
    this.#answers.clear();
    for (const job of [...this.#jobs]) {
      if (job.id === null) continue;
      job.id = null;
      if (!job.lasting) this.#settle(job, () => job.reject(new LinkLost()));
    }
  }

  /** Nothing is to be sent any more that was asked so far: it was somebody else who asked. */
  giveUp(): void {
    this.#answers.clear();
    for (const job of [...this.#jobs]) this.#settle(job, () => job.reject(new LinkLost('somebody else is here now')));
  }

  /** Takes in an answer. */
  answer(frame: AnswerFrame): void {
    if (frame.re === null) return;
    const then = this.#answers.get(frame.re);
    this.#answers.delete(frame.re);
    then?.(frame);
  }

  #id(): number {
    const id = this.#nextId;
    this.#nextId = id < 1_000_000_000 ? id + 1 : 1;
    return id;
  }

  #settle(job: Job, how: () => void): void {
    if (!this.#jobs.delete(job)) return;
    job.cancel();
    if (job.id !== null) this.#answers.delete(job.id);
    how();
  }

  #send(job: Job): void {
    if (!this.#port.online()) return;
    const id = this.#id();
    job.id = id;
    this.#answers.set(id, ({ ok, error }) => {
      if (ok) this.#settle(job, () => job.resolve(ok));
      else if (error) this.#refused(job, error);
    });
    this.#port.send(message(id, job.rest));
  }

  #refused(job: Job, error: ApiError): void {
    // Chat has a limit of its own, which is for the user to know.
    const passes = PASSING.has(error.code) && !(error.code === 'rate_limited' && job.type === 'chat');
    job.refusals += 1;
    if (!job.lasting || !passes || (error.code === 'internal' && job.refusals >= INTERNAL_TRIES)) {
      this.#settle(job, () => job.reject(new Refusal(error)));
      return;
    }
    job.id = null;
    job.resting = true;
    const span = Math.min(AGAIN_LONGEST_MS, AGAIN_MS * 2 ** (job.refusals - 1));
    // Never before the server says that it would pass.
    const wait = Math.max(span * (0.75 + this.#environment.random() / 2), error.retry_in_ms ?? 0);
    this.#environment.after(wait, () => {
      job.resting = false;
      if (this.#jobs.has(job)) this.#send(job);
    });
  }
}
