/**
 * Who may have one of few things at a time, such as a live board: the first to ask gets one, the others wait in line.
 */
export class Slots {
  readonly #most: number;
  #taken = 0;
  #line: (() => void)[] = [];

  /** So many at a time. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Asks for one; `granted` is called as soon as there is one. The answer gives it back, or leaves the line. */
  ask(granted: () => void): () => void {
    let state: 'waiting' | 'has' | 'done' = 'waiting';
    const grant = () => {
      state = 'has';
      this.#taken += 1;
      granted();
    };
    if (this.#taken < this.#most) grant();
    else this.#line.push(grant);
    return () => {
      if (state === 'waiting') this.#line = this.#line.filter((other) => other !== grant);
      if (state === 'has') {
        this.#taken -= 1;
        this.#line.shift()?.();
      }
      state = 'done';
    };
  }
}
