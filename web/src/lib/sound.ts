/** Sounds, made by the browser itself: no file is fetched. */
import { settings } from '$lib/settings.svelte';

/** What can be heard. */
export type Sound = 'move' | 'capture' | 'check' | 'start' | 'end' | 'notify' | 'refused';

/** A short tone or tap. */
interface Tone {
  /** When it begins, in seconds after the sound's beginning. */
  at: number;
  /** Its pitch at the beginning and at the end, in hertz. */
  from: number;
  to: number;
  /** How long it lasts, in seconds. */
  length: number;
  /** How loud it is, 0 to 1. */
  gain: number;
  shape: OscillatorType;
}

const wood = (at: number, from: number, gain: number): Tone[] => [
  { at, from, to: from * 0.45, length: 0.07, gain, shape: 'triangle' },
  { at, from: from * 2.7, to: from * 1.4, length: 0.025, gain: gain * 0.5, shape: 'square' }
];
const bell = (at: number, from: number, gain: number): Tone => ({
  at,
  from,
  to: from,
  length: 0.45,
  gain,
  shape: 'sine'
});

const SOUNDS: Readonly<Record<Sound, readonly Tone[]>> = {
  move: wood(0, 320, 0.5),
  capture: [...wood(0, 380, 0.55), ...wood(0.055, 240, 0.5)],
  check: [...wood(0, 320, 0.5), bell(0.05, 740, 0.18)],
  start: [bell(0, 523, 0.2), bell(0.12, 659, 0.2), bell(0.24, 784, 0.2)],
  end: [bell(0, 784, 0.2), bell(0.14, 659, 0.2), bell(0.28, 523, 0.22)],
  notify: [bell(0, 880, 0.18), bell(0.1, 1175, 0.14)],
  refused: [{ at: 0, from: 170, to: 120, length: 0.14, gain: 0.3, shape: 'sawtooth' }]
};

let context: AudioContext | null = null;

/** Makes a sound, unless the user has turned sounds off or the browser does not allow one yet. */
export function play(sound: Sound): void {
  if (!settings.sound || typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  const audio = context;
  if (audio.state === 'suspended') {
    // Until the user has done something on the page, browsers stay silent: a sound that comes late is worse than none.
    void audio.resume().catch(() => undefined);
    return;
  }
  for (const tone of SOUNDS[sound]) {
    const start = audio.currentTime + tone.at;
    const oscillator = audio.createOscillator();
    const volume = audio.createGain();
    oscillator.type = tone.shape;
    oscillator.frequency.setValueAtTime(tone.from, start);
    oscillator.frequency.exponentialRampToValueAtTime(tone.to, start + tone.length);
    volume.gain.setValueAtTime(tone.gain, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + tone.length);
    oscillator.connect(volume).connect(audio.destination);
    oscillator.start(start);
    oscillator.stop(start + tone.length);
  }
}
