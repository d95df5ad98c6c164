/** Announcements of the operator, shown on every page. */
import type { Announcements, Notice } from '$lib/protocol/protocol';
import { session } from '$lib/session.svelte';
import { isDismissed } from './dismissal';

const KEY = 'qiguan.notice';
/** The longest span that a browser's timers take. */
const LONGEST_MS = 2 ** 31 - 1;
const NOTHING: Announcements = { maintenance: null, notice: null };

/** See the top of the file. Use `announcements`. */
export class ActiveAnnouncements {
  #active: Announcements = $state.raw(NOTHING);
  /** The notice that this browser hides. */
  #dismissed = $state<string | null>(null);
  #now = $state(0);

  readonly maintenance = $derived.by(() => this.#active.maintenance);
  readonly notice = $derived.by(() => {
    const { notice } = this.#active;
    return notice && notice.until > this.#now && !isDismissed(notice, this.#dismissed) ? notice : null;
  });

  /** Follows the announcements. The returned function stops it. */
  start(): () => void {
    const { connection } = session;
    this.#dismissed = localStorage.getItem(KEY);
    let timer: ReturnType<typeof setTimeout> | undefined;
    /** A notice is hidden when its time is over. */
    const look = () => {
      clearTimeout(timer);
      this.#now = connection.serverNow();
      const left = (this.#active.notice?.until ?? this.#now) - this.#now;
      if (left > 0) timer = setTimeout(look, Math.min(left + 500, LONGEST_MS));
    };
    let online = false;
    let told = false;
    const ends = [
      session.onNotice((notice) => {
        if (notice.type !== 'announcements') return;
        told = true;
        this.#active = notice.standing;
        look();
      }),
      // New connections receive announcements before the welcome.
      connection.onChange(() => {
        const now = connection.state.kind === 'online';
        if (now === online) return;
        online = now;
        if (!online) told = false;
        else if (!told) this.#active = NOTHING;
        look();
      })
    ];
    return () => {
      clearTimeout(timer);
      for (const end of ends) end();
    };
  }

  /** Hides a notice in this browser for good. */
  dismiss(notice: Notice): void {
    this.#dismissed = String(notice.since);
    localStorage.setItem(KEY, this.#dismissed);
  }
}

/** The announcements in force. */
export const announcements = new ActiveAnnouncements();
