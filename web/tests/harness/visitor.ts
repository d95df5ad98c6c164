/** Somebody with a browser of their own. */
import {
  expect,
  type APIResponse,
  type Browser,
  type BrowserContextOptions,
  type BrowserContext,
  type Locator,
  type Page
} from '@playwright/test';
import { isLocale, LOCALES } from '../../src/lib/locales';
import { wordsIn } from './words';

/** How somebody enters moves. */
export type Hand = 'mouse' | 'keyboard' | 'drag' | 'touch';

/** What a square says of a piece that can be moved, in any language. */
const CAN_MOVE = new RegExp(
  Object.keys(LOCALES)
    .filter(isLocale)
    .map((locale) => wordsIn(locale)('board.can_move'))
    .join('|')
);

export class Visitor {
  /** Errors that pages logged or threw, and requests to other origins. */
  readonly faults: string[] = [];

  private constructor(
    readonly name: string,
    readonly url: string,
    readonly context: BrowserContext,
    readonly page: Page
  ) {}

  static async arrive(browser: Browser, url: string, name: string, options?: BrowserContextOptions): Promise<Visitor> {
    // A story about the service worker allows it: what it asks for, no story could intercept.
    const quiet = { baseURL: url, reducedMotion: 'reduce', serviceWorkers: 'block' } as const;
    const context = await browser.newContext({ ...quiet, ...options });
    const page = await context.newPage();
    const visitor = new Visitor(name, url, context, page);
    page.on('pageerror', (error) => visitor.faults.push(`thrown: ${String(error)}`));
    page.on('console', (message) => {
      if (message.type() !== 'error') return;
      // The browser itself logs each request that fails; stories that take the server away expect those.
      if (/Failed to load resource|WebSocket connection to/.test(message.text())) return;
      visitor.faults.push(`logged: ${message.text()}`);
    });
    page.on('request', (request) => {
      const asked = new URL(request.url());
      const own = new URL(url);
      if (asked.protocol === 'data:' || asked.protocol === 'blob:') return;
      if (asked.host !== own.host) visitor.faults.push(`asked elsewhere: ${request.url()}`);
    });
    return visitor;
  }

  async leave(): Promise<void> {
    await this.context.close();
  }

  /** Asks the server as this visitor's browser would. */
  async asks(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<APIResponse> {
    const response = await this.context.request.fetch(path, {
      method,
      // A connection that is kept may be closed by the server just when the next request goes out on it.
      headers: { origin: this.url, connection: 'close' },
      ...(body === undefined ? {} : { data: body })
    });
    expect(response.ok(), `${method} ${path}: ${response.status()} ${await response.text()}`).toBe(true);
    return response;
  }

  /** Becomes a guest, as the first thing that needs an identity would do. */
  async becomesGuest(): Promise<string> {
    const answer = (await (await this.asks('POST', '/api/guest')).json()) as { player: { id: string } };
    return answer.player.id;
  }

  /** Opens a game over HTTP. */
  async opens(data: Readonly<Record<string, unknown>>): Promise<string> {
    const command = crypto.randomUUID();
    const asked = { command, time_control: { clock: { type: 'none' } }, seat: 'first', ...data };
    const answer = (await (await this.asks('POST', '/api/games', asked)).json()) as { game: string };
    return answer.game;
  }

  /** The square of a board, which a screen reader names first by its coordinate. */
  square(name: string) {
    return this.page.getByRole('gridcell', { name: new RegExp(`^${name}\\b`) });
  }

  /** Sees the game after so many plies. */
  async seesPly(ply: number, timeout = 15_000): Promise<void> {
    const heading = this.page.getByRole('heading', { level: 1 });
    await expect(heading, `${this.name} sees ply ${ply}`).toHaveAttribute('data-ply', String(ply), { timeout });
  }

  /** How the game has ended, as the page tells it. */
  result() {
    return this.page.getByRole('region', { name: 'Result' });
  }

  /** The slip of paper that tells of a lost connection. */
  linkNotice() {
    return this.page.getByRole('status').getByText(/Connection lost|The server restarts|Connecting …/);
  }

  /** Plays a move on the board of the page, as soon as the board takes one of this piece. */
  async plays(move: string, hand: Hand): Promise<void> {
    const [from] = squaresOf(move);
    await expect(this.square(from), `${this.name} can move from ${from}`).toHaveAttribute('aria-label', CAN_MOVE);
    await this.enters(move, hand);
  }

  /** Goes through the motions of a move, whether the board takes it or not. */
  async enters(move: string, hand: Hand): Promise<void> {
    const [from, to] = squaresOf(move).map((square) => this.square(square)) as [Locator, Locator];
    switch (hand) {
      case 'mouse':
        await from.click();
        await to.click();
        break;
      case 'touch':
        await from.tap();
        await to.tap();
        break;
      case 'drag': {
        const [start, end] = [await centre(from), await centre(to)];
        await this.page.mouse.move(start.x, start.y);
        await this.page.mouse.down();
        await this.page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 3 });
        await this.page.mouse.move(end.x, end.y, { steps: 3 });
        await this.page.mouse.up();
        break;
      }
      case 'keyboard':
        await from.focus();
        await this.page.keyboard.press('Enter');
        await to.focus();
        await this.page.keyboard.press('Enter');
        break;
    }
  }
}

/** From where to where a move goes. */
function squaresOf(move: string): [string, string] {
  const found = /^([a-z]\d+)([a-z]\d+)$/.exec(move);
  if (!found?.[1] || !found[2]) throw new Error(`${move} is no move`);
  return [found[1], found[2]];
}

async function centre(locator: Locator): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox();
  if (!box) throw new Error('this square is not on the page');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
