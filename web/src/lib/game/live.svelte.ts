import { parse } from '$lib/board/fen';
import { parts } from '$lib/board/geometry';
import type { CommandData, CommandType, Connection } from '$lib/protocol/connection';
import type { ApiError, GameNoticeKind, GameView, Offer, Seat } from '$lib/protocol/protocol';
import { LinkLost, Refusal } from '$lib/protocol/refusal';
import { t } from '$lib/i18n/index.svelte';
import { faultText, type OwnTexts } from '$lib/ui/faults';
import { inWords, tellAll, tellLow, type Describe } from './announce';
import { alarmAt, claimAt, nextLow, overtime, remaining, untilChange, type Left } from './clock';
import { catchUp, fold, withLines } from './fold';
import { happenings, heard, type Happening, type Heard } from './happenings';
import { Latest } from './latest';
import { gameOf, other } from './rulesets';
import { attackTakenBack, stillStanding } from './takebacks';

/** What a live game needs of the world around it. */
export interface LivePort {
  connection: Pick<Connection, 'watch' | 'command' | 'insist' | 'serverNow'>;
  /** Who looks. */
  me(): string | null;
  /** Makes a guest of a visitor who wants to join. */
  ensurePlayer(): Promise<unknown>;
  /** Makes a sound. */
  play(sound: Heard): void;
  /** A move in words. */
  describe?: Describe;
  /** Calls once after so many milliseconds; what comes back takes that back. */
  after(ms: number, then: () => void): () => void;
}

/** What a live region is to read out. Another id is another thing to say, even with the same text. */
export interface LiveText {
  id: number;
  text: string;
}

/** The commands that need nothing but the game. */
type Plain = 'resign' | 'offer_draw' | 'request_takeback' | 'abort' | 'decline' | 'rematch' | 'claim_victory' | 'ready';
/** The commands that answer an offer or a request. */
type Reply = 'accept_draw' | 'decline_draw' | 'accept_takeback' | 'decline_takeback';
/** A command that can be under way. */
export type Underway = Plain | Reply | 'join' | 'chat' | 'spectator_chat';

/** What a refusal means for one command, where the usual text is about others. */
const OWN_TEXTS: Partial<Record<Underway, OwnTexts>> = {
  request_takeback: {
    too_early: 'game.takeback_nothing',
    too_late: 'game.takeback_attack',
    limit_reached: 'game.takeback_limit'
  }
};

/**
 * A game as it is played. `view` is what the server has sent; what the user has done and the server has not confirmed is beside it.
 * Every change of `view` goes through one function, which derives from it what is heard and what is said.
 */
export class LiveGame {
  readonly id: string;
  /** The game as the server has sent it; null before the first answer. */
  view: GameView | null = $state.raw(null);
  /** Why the game can't be watched. */
  refused: ApiError | null = $state.raw(null);
  /** A move that was made and is not confirmed yet. */
  pending: string | null = $state(null);
  /** A move that will be made when the turn comes. */
  premove: string | null = $state(null);
  /** The record can't be written just now. */
  storageDown = $state(false);
  /** What the last command was refused with, until `clearRefusal`. */
  fault: Refusal | LinkLost | null = $state.raw(null);
  /** The texts for it that fit better than the usual ones. */
  faultTexts: OwnTexts = $state.raw({});
  /** The commands that have no answer yet. */
  underway: ReadonlySet<Underway> = $state.raw(new Set<Underway>());
  /** For the live region of the page. */
  said: LiveText = $state.raw({ id: 0, text: '' });
  /** Whether an attack was taken back, which is against the rules of Luzhanqi. */
  attackTakenBack = $state(false);
  /** What the last change was, for the components that show it: the board's animation, marks of unread chat. */
  last: readonly Happening[] = $state.raw([]);
  /** Server time, as of the last moment at which a shown clock or countdown changed. */
  now = $state(0);

  readonly #port: LivePort;
  readonly #setup = new Latest(async (setup: string) => {
    await this.#port.connection.insist('set_up', { game: this.id, setup });
    this.#keptSetup = setup;
  });
  readonly #notes = new Latest((notes: string) => this.#port.connection.insist('note', { game: this.id, notes }));
  readonly #stop: () => void;
  /** The player’s own setup as the server has it. */
  #keptSetup: string | null = null;
  #pendingPly = 0;
  #cancelTick: (() => void) | null = null;
  #low: number | null = null;
  #lowPly = -1;
  /** Whether the player's clock was heard to run out: that is done once in a game. */
  #alarmed = false;
  #closed = false;
  #telling = false;

  constructor(id: string, port: LivePort) {
    this.id = id;
    this.#port = port;
    this.now = port.connection.serverNow();
    this.#stop = port.connection.watch(id, {
      snapshot: (view) => this.#take(view),
      missed: (events, live, cursor) => {
        if (!this.view) return;
        this.attackTakenBack ||= attackTakenBack(
          this.view.moves,
          events.map(({ event }) => event)
        );
        this.#take(catchUp(this.view, events, live, cursor, port.me()));
      },
      event: (frame) => {
        if (this.view) this.#take(fold(this.view, frame, port.me()));
      },
      notice: (notice) => this.#noticed(notice),
      refused: (error) => (this.refused = error)
    });
  }

  /** Ends looking at the game. Moves and commands that are under way go on. */
  close(): void {
    this.#closed = true;
    this.#cancelTick?.();
    this.#stop();
  }

  /** The viewer's seat; null for a spectator. */
  get you(): Seat | null {
    return this.view?.you ?? null;
  }

  /** Whether it is the viewer's turn, and no move of the viewer is on its way. */
  get yourTurn(): boolean {
    const { view } = this;
    return (
      view !== null &&
      view.status === 'playing' &&
      view.position.turn === view.you &&
      this.pending === null &&
      !this.settingUp
    );
  }

  /** Whether both are still setting up. */
  get settingUp(): boolean {
    return this.view?.status === 'playing' && (this.view.setup?.until ?? null) !== null;
  }

  /** What both clocks show at `now`. */
  clocks(now: number = this.now): { first: Left | null; second: Left | null } {
    return { first: this.#left('first', now), second: this.#left('second', now) };
  }

  /** Milliseconds until held clocks run at the latest; null while they are not held. */
  heldFor(now: number = this.now): number | null {
    const held = this.view?.status === 'playing' ? this.view.clocks.held : null;
    return held ? Math.max(0, held.until - now) : null;
  }

  /** Milliseconds until the game of an opponent who is away may be claimed: 0 when it may be; null while it is not so. */
  claimIn(now: number = this.now): number | null {
    const { view } = this;
    if (!view?.you || view.status !== 'playing') return null;
    const at = claimAt(view.presence, other(view.you));
    return at === null ? null : Math.max(0, at - now);
  }

  /** Milliseconds until the setups are taken as they stand; null when nobody sets up. */
  setupFor(now: number = this.now): number | null {
    const until = this.settingUp ? (this.view?.setup?.until ?? null) : null;
    return until === null ? null : Math.max(0, until - now);
  }

  /**
   * Says whether an own move shall be sent; until it is known the move is shown as made. Null for every move. Premoves are sent
   * without it.
   */
  consider: ((move: string) => true | Promise<boolean>) | null = null;

  /** Makes a move: now if it is the viewer's turn, else as a premove. */
  moveBy(move: string): void {
    const { view } = this;
    if (!view?.you || view.status !== 'playing' || this.settingUp) return;
    if (!this.yourTurn) {
      this.premove = this.premove === move ? null : move;
    } else if (view.position.legal?.includes(move)) {
      this.#show(move, view.position.ply + 1);
      const meant = this.consider?.(move) ?? true;
      if (meant === true) this.#send(move);
      else void this.#sendIf(meant, move);
    } else {
      this.#port.play('refused');
    }
  }

  /** Takes a premove back, or makes another one. */
  planMove(move: string | null): void {
    this.premove = move;
  }

  /** Sits down; a visitor becomes a guest first. */
  async join(): Promise<void> {
    await this.#guard('join', async () => {
      await this.#port.ensurePlayer();
      await this.#command('join', { game: this.id });
    });
  }

  resign = () => this.#plain('resign');
  offerDraw = () => this.#plain('offer_draw');
  abort = () => this.#plain('abort');
  decline = () => this.#plain('decline');
  rematch = () => this.#plain('rematch');
  claimVictory = () => this.#plain('claim_victory');
  ready = () => this.#plain('ready');
  requestTakeback = () => this.#plain('request_takeback');
  acceptDraw = () => this.#reply('accept_draw', this.view?.draw_offer);
  declineDraw = () => this.#reply('decline_draw', this.view?.draw_offer);
  acceptTakeback = () => this.#reply('accept_takeback', this.view?.takeback_request);
  declineTakeback = () => this.#reply('decline_takeback', this.view?.takeback_request);

  /** Says something to the opponent. Tells whether it was taken. */
  async say(text: string): Promise<boolean> {
    return this.#guard('chat', () => this.#command('chat', { game: this.id, text }));
  }

  /** Says something to the other spectators; a visitor becomes a guest first. Tells whether it was taken. */
  async sayToSpectators(text: string): Promise<boolean> {
    return this.#guard('spectator_chat', async () => {
      await this.#port.ensurePlayer();
      await this.#command('spectator_chat', { game: this.id, text });
    });
  }

  /** Changes the player's own setup: shown at once, and taken back if the server refuses it. Tells whether it was taken. */
  async setUp(setup: string): Promise<boolean> {
    if (!this.#setup.busy) this.#keptSetup = this.view?.setup?.yours ?? null;
    this.#showSetup(setup);
    const taken = await this.#keep(this.#setup, setup);
    // What was missed in the meantime may have brought back the one before.
    if (!this.#setup.busy) this.#showSetup(this.#keptSetup);
    return taken;
  }

  /** Keeps notes on the game, for the viewer alone. Tells whether they were kept. */
  async note(notes: string): Promise<boolean> {
    if (this.view) this.#take({ ...this.view, notes });
    const kept = await this.#keep(this.#notes, notes);
    if (kept && this.view && !this.#notes.busy) this.#take({ ...this.view, notes });
    return kept;
  }

  /** The user has seen what the last command was refused with. */
  clearRefusal(): void {
    this.fault = null;
  }

  /** Has a text read out, together with other announcements of the same moment. */
  tell(text: string): void {
    if (!text) return;
    if (this.#telling) {
      this.said = { ...this.said, text: `${this.said.text} ${text}` };
      return;
    }
    this.said = { id: this.said.id + 1, text };
    this.#telling = true;
    queueMicrotask(() => (this.#telling = false));
  }

  get #takebacks(): number {
    return this.view?.takebacks?.count ?? 0;
  }

  // Everything that changes the view goes through here.
  #take(after: GameView): void {
    if (this.#closed) return;
    const before = this.view;
    const takebacks = this.#takebacks;
    this.view = after;
    if (before && this.#takebacks !== takebacks) this.#dropTakenBack(before, after);
    this.refused = null;
    const found = happenings(before, after);
    this.last = found;
    const sound = heard(found, after.you);
    if (sound) this.#port.play(sound);
    this.tell(tellAll(found, after, this.#port.describe ?? inWords));
    this.#settlePending(after);
    this.#settlePremove(after);
    this.#tick();
  }

  /** What was meant for a position that is past is not played in another one. */
  #dropTakenBack(before: GameView, after: GameView): void {
    const gone = before.moves.slice(stillStanding(before.moves, after.moves));
    this.attackTakenBack ||= gone.some((played) => played.removed !== undefined);
    [this.pending, this.premove] = [null, null];
  }

  #settlePending(view: GameView): void {
    if (this.pending === null) return;
    const played = view.moves[this.#pendingPly - 1];
    // Played by this page, by another one of the same player, or never.
    if (played || view.status === 'ended') {
      const lost = played?.move !== this.pending ? this.pending : null;
      this.pending = null;
      if (lost) this.#lostMove(lost, played ? t('common.error_stale') : t('game.say_too_late'));
    }
  }

  #settlePremove(view: GameView): void {
    if (this.premove === null) return;
    if (view.status === 'ended') this.premove = null;
    else if (this.yourTurn) {
      const { premove } = this;
      this.premove = null;
      if (view.position.legal?.includes(premove)) {
        this.#show(premove, view.position.ply + 1);
        this.#send(premove);
      } else this.tell(t('game.say_premove_dropped', { move: this.#words(premove) }));
    }
  }

  #noticed(notice: GameNoticeKind): void {
    if (notice.type === 'storage_down' || notice.type === 'storage_back') {
      this.storageDown = notice.type === 'storage_down';
      return;
    }
    const { view } = this;
    if (!view) return;
    if (notice.type === 'presence') this.#take({ ...view, presence: notice.presence });
    else if (notice.type === 'spectator_chat') this.#take(withLines(view, notice.lines));
    else if (notice.type === 'rated') this.#take({ ...view, ratings: notice.ratings });
    // What this page has changed in the meantime is newer than what another one has sent.
    else if (notice.type === 'set_up' && !this.#setup.busy) this.#showSetup(notice.setup);
    else if (notice.type === 'notes' && !this.#notes.busy) this.#take({ ...view, notes: notice.notes });
  }

  #showSetup(yours: string | null): void {
    if (this.view?.setup) this.#take({ ...this.view, setup: { ...this.view.setup, yours } });
  }

  #show(move: string, ply: number): void {
    this.pending = move;
    this.#pendingPly = ply;
    const taken = this.view && parse(gameOf(this.view.ruleset), this.view.position.fen).has(parts(move)?.to ?? '');
    this.#port.play(taken ? 'capture' : 'move');
  }

  async #sendIf(meant: Promise<boolean>, move: string): Promise<void> {
    const [ply, takebacks] = [this.#pendingPly, this.#takebacks];
    const sends = await meant;
    // Played by another page, taken back or over in the meantime: `#settlePending` has seen to it.
    if (this.pending !== move || this.#pendingPly !== ply || this.#takebacks !== takebacks) return;
    if (sends) return this.#send(move);
    [this.pending, this.premove] = [null, null];
  }

  #send(move: string): void {
    const ply = this.#pendingPly;
    this.#command('move', { game: this.id, ply, move }).catch((fault: unknown) => {
      if (this.pending !== move || this.#pendingPly !== ply) return;
      this.pending = null;
      if (fault instanceof Refusal) [this.fault, this.faultTexts] = [fault, {}];
      this.#lostMove(move, faultText(fault));
    });
  }

  #lostMove(move: string, why: string): void {
    this.#port.play('refused');
    this.tell(t('game.say_move_lost', { move: this.#words(move), why }));
  }

  #words(move: string): string {
    const { view } = this;
    return view ? (this.#port.describe ?? inWords)(view.ruleset, view.position.fen, { move }) : move;
  }

  #command<T extends CommandType>(type: T, data: CommandData<T>): Promise<unknown> {
    return this.#port.connection.command(type, data);
  }

  #plain(type: Plain): Promise<boolean> {
    return this.#guard(type, () => this.#command(type, { game: this.id }));
  }

  async #reply(type: Reply, offer: Offer | null | undefined): Promise<boolean> {
    if (!offer) return false;
    return this.#guard(type, () => this.#command(type, { game: this.id, offer: offer.seq }));
  }

  /** Carries a command out once at a time, and keeps what it was refused with. */
  async #guard(name: Underway, carryOut: () => Promise<unknown>): Promise<boolean> {
    if (this.underway.has(name)) return false;
    this.underway = new Set([...this.underway, name]);
    this.fault = null;
    try {
      await carryOut();
      return true;
    } catch (fault) {
      this.#blame(fault, OWN_TEXTS[name]);
      return false;
    } finally {
      this.underway = new Set([...this.underway].filter((each) => each !== name));
    }
  }

  async #keep(latest: Latest<string>, value: string): Promise<boolean> {
    try {
      await latest.push(value);
      return true;
    } catch (fault) {
      this.#blame(fault);
      return false;
    }
  }

  #blame(fault: unknown, own: OwnTexts = {}): void {
    this.fault = fault instanceof Refusal ? fault : new LinkLost();
    this.faultTexts = own;
    this.#port.play('refused');
    this.tell(faultText(fault, own));
  }

  #left(seat: Seat, now: number): Left | null {
    const { view } = this;
    return view ? remaining(view.clocks, seat, now, overtime(view, seat)) : null;
  }

  /** Sets `now`, says that the player's time runs low, and comes back when the next shown digit changes. */
  #tick(): void {
    this.#cancelTick?.();
    this.#cancelTick = null;
    const { view } = this;
    this.now = this.#port.connection.serverNow();
    if (!view || view.status !== 'playing' || this.#closed) return;
    const clocks = this.clocks();
    const waits: number[] = [];
    for (const seat of ['first', 'second'] as const) {
      const left = clocks[seat];
      if (!left?.running) continue;
      if (seat === view.you) this.#warn(left, view);
      const next = untilChange(left.ms);
      if (next !== null) waits.push(next);
    }
    for (const span of [this.heldFor(), this.claimIn(), this.setupFor()]) {
      if (span !== null && span > 0) waits.push((span % 1000 || 1000) + 1);
    }
    if (waits.length > 0) this.#cancelTick = this.#port.after(Math.min(...waits), () => this.#tick());
  }

  #warn(left: Left, { position: { ply }, time_control }: GameView): void {
    if (!this.#alarmed && left.ms <= alarmAt(time_control)) {
      this.#alarmed = true;
      this.#port.play('low');
    }
    if (ply !== this.#lowPly) {
      this.#lowPly = ply;
      this.#low = nextLow(left.ms);
    } else if (this.#low !== null && left.ms <= this.#low) {
      this.tell(tellLow(this.#low));
      this.#low = nextLow(left.ms);
    }
  }
}
