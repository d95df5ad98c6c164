/** Sounds: small files that `scripts/sounds` has rendered, fetched when the first one is to be heard. */
import { settings } from '$lib/settings.svelte';

/** What can be heard. */
export type Sound = 'move' | 'capture' | 'check' | 'start' | 'end' | 'notify' | 'refused' | 'low';

/** A sound that comes later than this, because its file was still on its way, is worse than none. */
const LATE_MS = 400;
/** How much higher or lower a sound can be than the one before: no two moves sound quite the same. */
const PITCH = 0.03;
/** What is quieter than this, at the beginning of a file, was added by its format. */
const SILENCE = 0.004;

const files = import.meta.glob<string>('./sounds/*.mp3', { query: '?url&no-inline', import: 'default', eager: true });
const decoded = new Map<Sound, { buffer: AudioBuffer; begins: number }>();
const asked = new Set<Sound>();
let context: AudioContext | null = null;

/** Plays a sound, unless the user has turned sounds off or the browser does not allow one yet. */
export function play(sound: Sound): void {
  if (!settings.sound || settings.volume === 0 || typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  if (context.state === 'suspended') {
    // Until the user has done something on the page, browsers stay silent.
    void context.resume().catch(() => undefined);
    return;
  }
  const since = performance.now();
  const audio = context;
  void load(audio, sound).then(() => {
    if (performance.now() - since < LATE_MS) start(audio, sound);
  });
  // The others are wanted soon, and without delay.
  for (const other of ['move', 'capture', 'check', 'low'] as const) void load(audio, other);
}

async function load(audio: AudioContext, sound: Sound): Promise<void> {
  const file = files[`./sounds/${sound}.mp3`];
  if (file === undefined || decoded.has(sound) || asked.has(sound)) return;
  asked.add(sound);
  try {
    const answer = await fetch(file);
    if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
    const buffer = await audio.decodeAudioData(await answer.arrayBuffer());
    decoded.set(sound, { buffer, begins: beginning(buffer) });
  } catch {
    // The network is away: the next one that is to be heard asks again.
  } finally {
    asked.delete(sound);
  }
}

/** After how many seconds something is heard. */
function beginning(buffer: AudioBuffer): number {
  const first = buffer.getChannelData(0).findIndex((sample) => Math.abs(sample) > SILENCE);
  return Math.max(0, first) / buffer.sampleRate;
}

function start(audio: AudioContext, sound: Sound): void {
  const found = decoded.get(sound);
  if (!found) return;
  const source = audio.createBufferSource();
  source.buffer = found.buffer;
  source.playbackRate.value = 1 + (Math.random() * 2 - 1) * PITCH;
  const volume = audio.createGain();
  // Ears hear loudness roughly as the square of what a slider says.
  volume.gain.value = (settings.volume / 100) ** 2;
  source.connect(volume).connect(audio.destination);
  source.start(0, found.begins);
}
