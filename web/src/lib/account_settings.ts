/**
 * Settings that follow the account: what is a matter of taste is the same wherever one signs in. What suits a device (sound, its volume,
 * whether moves are confirmed) stays there.
 */
import { speak } from '$lib/i18n/index.svelte';
import { api } from '$lib/protocol/http';
import type { AccountSettings } from '$lib/protocol/openapi';
import { Refusal } from '$lib/protocol/refusal';
import { allChosen, learnedIn, onChosen, settings, takeOver } from '$lib/settings.svelte';

type Chosen = Readonly<Record<string, unknown>>;
type Kept = AccountSettings['settings'];

const KEY = 'qiguan.settings.unsaved';
const OF_DEVICE: ReadonlySet<string> = new Set(['sound', 'volume', 'confirmMoves']);
/** Several changes within this time are saved at once. */
const PAUSE_MS = 600;
/** How often it is tried to save when another device is quicker. */
const TRIES = 3;
const WORD = /^[\w-]{1,40}$/;

function isKept(value: unknown): value is Kept[string] {
  if (typeof value === 'string') return WORD.test(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'boolean' || Number.isInteger(value);
  return Object.entries(value).every(([name, word]) => WORD.test(name) && typeof word === 'string' && WORD.test(word));
}

/** What of the choices goes with the account, also what only a later version of the client knows. */
export function shared(chosen: Chosen): Kept {
  const entries = Object.entries(chosen).filter(([name]) => !OF_DEVICE.has(name) && WORD.test(name));
  return Object.fromEntries(entries.filter((entry): entry is [string, Kept[string]] => isKept(entry[1])));
}

/** What holds here: what the account has, but for what was chosen here since and for what is of the device. */
export function merged(account: Kept, here: Chosen, unsaved: ReadonlySet<string>): Record<string, unknown> {
  const stays = Object.entries(here).filter(([name]) => OF_DEVICE.has(name) || unsaved.has(name));
  const taken = Object.entries(account).filter(([name]) => !OF_DEVICE.has(name) && !unsaved.has(name));
  const all = Object.fromEntries([...taken, ...stays]);
  // What was learned in one place is not forgotten in the other.
  const learned = furthest(learnedIn(account['learned']), learnedIn(here['learned']));
  return Object.keys(learned).length > 0 ? { ...all, learned } : all;
}

/** Of both, how far one has come in each lesson. */
function furthest(one: Record<string, string>, other: Record<string, string>): Record<string, string> {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries(
    [...names].sort().map((name) => [name, String(Math.max(Number(one[name] ?? 0), Number(other[name] ?? 0)))])
  );
}

/** The names of settings that this browser has not been able to save for a player. */
function unsavedOf(player: string): Set<string> {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as { player?: unknown; names?: unknown };
    if (kept.player !== player || !Array.isArray(kept.names)) return new Set();
    return new Set(kept.names.filter((name) => typeof name === 'string'));
  } catch {
    // A browser that forbids storage, or somebody else's text under our key.
    return new Set();
  }
}

function keepUnsaved(player: string, names: ReadonlySet<string>): void {
  try {
    if (names.size === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify({ player, names: [...names] }));
  } catch {
    // See `unsavedOf`: what is not saved before the page is left is lost.
  }
}

/** Takes over a player's settings, and saves what is chosen from now on. `early` was chosen meanwhile. What comes back ends it. */
export function follow(player: string, early: readonly string[] = []): () => void {
  const unsaved = unsavedOf(player);
  let version: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saving = false;
  let ended = false;

  function chose(names: readonly string[]): void {
    for (const name of names) if (!OF_DEVICE.has(name)) unsaved.add(name);
    keepUnsaved(player, unsaved);
    clearTimeout(timer);
    if (unsaved.size > 0) timer = setTimeout(() => void save(), PAUSE_MS);
  }

  function take(answer: AccountSettings): void {
    version = answer.version;
    if (answer.version === 0) {
      // The first device of an account says how it likes it.
      for (const name of Object.keys(shared(allChosen()))) unsaved.add(name);
      return;
    }
    const now = merged(answer.settings, allChosen(), unsaved);
    if (JSON.stringify(now['learned']) !== JSON.stringify(answer.settings['learned'])) unsaved.add('learned');
    if (JSON.stringify(shared(now)) === JSON.stringify(shared(allChosen()))) return;
    takeOver(now);
    void speak(settings.locale);
  }

  async function save(): Promise<void> {
    if (saving || ended) return;
    saving = true;
    try {
      for (let tries = 0; tries < TRIES && unsaved.size > 0 && !ended; tries += 1) {
        if (version === null) take(await api.accountSettings());
        const names = [...unsaved];
        const kept = shared(allChosen());
        try {
          version = (await api.saveSettings({ version: version ?? 0, settings: kept })).version;
          const newer = shared(allChosen());
          for (const name of names)
            if (JSON.stringify(newer[name]) === JSON.stringify(kept[name])) unsaved.delete(name);
          keepUnsaved(player, unsaved);
        } catch (error) {
          if (!(error instanceof Refusal && error.code === 'stale')) throw error;
          version = null;
        }
      }
    } catch {
      // They stay unsaved; the next choice, or the next page, tries again.
    } finally {
      saving = false;
    }
  }

  const stop = onChosen(chose);
  for (const name of early) if (!OF_DEVICE.has(name)) unsaved.add(name);
  void api
    .accountSettings()
    .then((answer) => {
      if (!ended) take(answer);
    })
    .then(save)
    .catch(() => undefined);
  return () => {
    ended = true;
    clearTimeout(timer);
    stop();
  };
}
