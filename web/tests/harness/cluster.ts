/** Three programs on one record behind HAProxy, as `make cluster` starts them. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PROGRAM } from './program';

const SCRIPT = join(import.meta.dirname, '../../../scripts/cluster.sh');
/** How long everything may take to start, in milliseconds. */
const START_MS = 60_000;

/** One of the programs. */
export interface Part {
  pid: number;
  /** Its own address, such as `http://127.0.0.1:41234`. */
  url: string;
}

export class Cluster {
  readonly #script: ChildProcess;

  private constructor(
    script: ChildProcess,
    /** Where browsers reach it. */
    readonly url: string,
    readonly parts: readonly Part[]
  ) {
    this.#script = script;
  }

  static async start(): Promise<Cluster> {
    // All browsers of a test come from one address.
    const limits = ['--registrations-per-hour', '0', '--guests-per-hour', '0', '--request-burst-per-address', '0'];
    const script = spawn('bash', [SCRIPT, PROGRAM, String(await freePort()), ...limits], {
      stdio: ['ignore', 'pipe', 'pipe']
    });
    let said = '';
    script.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()));
    const parts: Part[] = [];
    const lines = createInterface({ input: script.stdout });
    const url = await new Promise<string>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`the cluster does not start: ${said}`)), START_MS);
      script.once('exit', () => reject(new Error(`the cluster does not start: ${said}`)));
      lines.on('line', (line) => {
        const part = /^cluster: qiguan-\d is process (\d+) at (http:\S+)$/.exec(line);
        if (part?.[1] && part[2]) parts.push({ pid: Number(part[1]), url: part[2] });
        const open = /^cluster: open (http:[^;]+);/.exec(line);
        if (!open?.[1]) return;
        clearTimeout(late);
        resolve(open[1]);
      });
    });
    script.removeAllListeners('exit');
    return new Cluster(script, url, parts);
  }

  /** Asks a program to end, as an upgrade does. */
  terminates(part: Part): void {
    process.kill(part.pid, 'SIGTERM');
  }

  /** Ends everything. */
  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.#script.once('exit', resolve));
    this.#script.kill('SIGTERM');
    await ended;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || !address) throw new Error('there is no free port');
  return address.port;
}
