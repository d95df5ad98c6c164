/** Something that a user does and the server carries out: one at a time, with what there is to say of it. */
export class Action {
  /** Whether its answer is awaited. */
  busy = $state(false);
  /** Why it failed; null if it did not. */
  fault: unknown = $state.raw(null);
  /** What is said when it is done. */
  done = $state('');

  /** Carries it out, unless the last one is still under way. Tells whether it went well. */
  async run(what: () => Promise<unknown>, done = ''): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.fault = null;
    this.done = '';
    try {
      await what();
      this.done = done;
      return true;
    } catch (fault) {
      this.fault = fault;
      return false;
    } finally {
      this.busy = false;
    }
  }
}
