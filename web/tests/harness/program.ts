/** The program under test: the real one, with a record of its own and a free port that it keeps over restarts. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const TARGET = process.env['CARGO_TARGET_DIR'] ?? join(import.meta.dirname, '../../../target');
/** Where it lies. */
export const PROGRAM = process.env['QIGUAN_PROGRAM'] ?? join(TARGET, 'debug/qiguan');

/** How long the program may take until it says that it listens, in milliseconds. */
const START_MS = 30_000;

export class Program {
  /** Where it listens, such as `http://127.0.0.1:41234`. */
  url = '';
  readonly #folder: string;
  #process: ChildProcess | undefined;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Starts a program with an empty record; `more` are further arguments of `qiguan serve`. */
  static async start(more: readonly string[] = []): Promise<Program> {
    if (!existsSync(PROGRAM)) {
      throw new Error(`there is no program at ${PROGRAM}: build it (make e2e does), or name another in QIGUAN_PROGRAM`);
    }
    const program = new Program(await mkdtemp(join(tmpdir(), 'qiguan-web-')));
    await program.#run('127.0.0.1:0', more);
    return program;
  }

  /** Ends the program as a power failure would. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  /** Asks the program to end, as an operator's restart does. */
  async terminate(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }

  /** Starts again on the same record and port, with no further arguments but these. */
  async again(more: readonly string[] = []): Promise<void> {
    await this.#run(new URL(this.url).host, more);
  }

  /** Ends the program and removes its record. */
  async remove(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Runs a subcommand on the same record, such as `admin role NAME admin`; answers what it printed. */
  async runs(args: readonly string[], input = ''): Promise<string> {
    const child = spawn(PROGRAM, [...args, '--database', this.#database()], { stdio: ['pipe', 'pipe', 'pipe'] });
    let printed = '';
    child.stdout.on('data', (bytes: Buffer) => (printed += bytes.toString()));
    child.stderr.on('data', (bytes: Buffer) => (printed += bytes.toString()));
    // A command that reads no input may have ended before this is written.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    const status = await new Promise((resolve) => child.once('exit', resolve));
    if (status !== 0) throw new Error(`qiguan ${args.join(' ')} ended with ${String(status)}: ${printed}`);
    return printed;
  }

  #database(): string {
    return `sqlite:${join(this.#folder, 'qiguan.db')}`;
  }

  async #run(listen: string, more: readonly string[]): Promise<void> {
    const args = ['serve', '--listen', listen, '--database', this.#database(), '--log', 'warn'];
    // All browsers of a test come from one address.
    args.push('--registrations-per-hour', '0', '--guests-per-hour', '0', '--seeks-per-address', '100');
    args.push('--request-burst-per-address', '0');
    // A push service of the stories is on this machine.
    args.push('--push-anywhere', 'true');
    // Minutes of work that no test needs.
    args.push('--make-tables', 'false', ...more);
    const child = spawn(PROGRAM, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#process = child;
    let said = '';
    child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()));
    const lines = createInterface({ input: child.stdout });
    this.url = await new Promise<string>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`the program does not start: ${said}`)), START_MS);
      child.once('exit', (status) => reject(new Error(`the program ended with ${String(status)}: ${said}`)));
      lines.on('line', (line) => {
        const found = /^listening on (http:\S+)$/.exec(line);
        if (!found?.[1]) return;
        clearTimeout(late);
        resolve(found[1]);
      });
    });
    child.removeAllListeners('exit');
  }
}
