/** The program as a newer version of it would look to a browser: the same client, whose first file has another hash. */
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

/** The file that names all others of a version. */
const ENTRY = /entry\/app\.[\w-]+\.js/g;
const NEWER = 'entry/app.newer.js';

/** Stands before a program, and passes everything on. */
export class Update {
  /** Whether the newer version is served. */
  newer = false;
  #entry = NEWER;
  readonly #server: Server;

  private constructor(private readonly program: URL) {
    this.#server = createServer((asked, answer) => {
      void this.#answer(asked).then(({ status, headers, body }) => {
        answer.writeHead(status, headers);
        answer.end(body);
      });
    });
    // Sockets are passed on as they are.
    this.#server.on('upgrade', (asked: IncomingMessage, socket, head) => {
      const passed = connect(Number(program.port), program.hostname, () => {
        const lines = Object.entries(asked.headers).map(([name, value]) => `${name}: ${String(value)}`);
        passed.write(`GET ${asked.url ?? '/'} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
        passed.write(head);
        passed.pipe(socket).pipe(passed);
      });
      passed.on('error', () => socket.destroy());
      socket.on('error', () => passed.destroy());
    });
  }

  static async before(program: string): Promise<Update> {
    const update = new Update(new URL(program));
    await new Promise<void>((resolve) => update.#server.listen(0, '127.0.0.1', resolve));
    return update;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(asked: IncomingMessage) {
    const path = asked.url ?? '/';
    const isEntry = path.match(ENTRY) !== null;
    // What the other version has is not there.
    if (isEntry && path.includes(NEWER) !== this.newer) return { status: 404, headers: {}, body: Buffer.of() };
    const got = await this.#ask(asked, isEntry ? path.replace(NEWER, this.#entry) : path);
    if (!/html|javascript/.test(got.headers['content-type'] ?? '')) return got;
    const text = got.body.toString();
    this.#entry = text.match(ENTRY)?.[0] ?? this.#entry;
    // The page is no longer the one whose scripts its policy names, nor the file the one whose tag it has.
    const changed = { 'content-security-policy': undefined, 'content-length': undefined, etag: undefined };
    const headers = JSON.parse(JSON.stringify({ ...got.headers, ...changed })) as typeof got.headers;
    return { ...got, headers, body: Buffer.from(this.newer ? text.replace(ENTRY, NEWER) : text) };
  }

  async #ask(asked: IncomingMessage, path: string) {
    const headers = { ...asked.headers, 'accept-encoding': 'identity' };
    delete headers['if-none-match'];
    const { hostname, port } = this.program;
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const passed = request({ hostname, port, path, method: asked.method, headers }, resolve);
      passed.on('error', reject);
      asked.pipe(passed);
    });
    const parts: Buffer[] = [];
    for await (const part of answer) parts.push(part as Buffer);
    return { status: answer.statusCode ?? 500, headers: answer.headers, body: Buffer.concat(parts) };
  }
}
