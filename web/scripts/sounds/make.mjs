/**
 * Renders the sounds: `npm ci && npm run make` in this folder. What it writes is committed, and is the same at each run.
 *
 * They are MP3, the one compressed format that all browsers decode (Safari reads neither Ogg nor Opus everywhere). What the format
 * adds in front is skipped by the player.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Mp3Encoder } from '@breezystack/lamejs';
import { bar, bell, RATE, wood } from './synthesis.mjs';

const out = join(dirname(fileURLToPath(import.meta.url)), '../../src/lib/sounds');
const KILOBITS = 48;
/** How loud the loudest sample is; a move is heard a hundred times in a game and is softer than the rest. */
const PEAK = 0.85;

const SOUNDS = {
  move: [0.16, 0.7, (sound) => wood(sound, 0, {})],
  // One piece knocks the other, then stands.
  capture: [
    0.26,
    0.95,
    (sound) => {
      wood(sound, 0, { size: 0.8, gain: 0.6, seed: 2 });
      wood(sound, 0.06, { size: 1.55, gain: 1.1, seed: 3 });
    }
  ],
  check: [
    0.5,
    0.95,
    (sound) => {
      wood(sound, 0, { gain: 0.8 });
      bar(sound, 0.05, { hertz: 880, gain: 0.7 });
      bar(sound, 0.15, { hertz: 1174.7, gain: 0.8 });
    }
  ],
  start: [
    0.9,
    0.8,
    (sound) => {
      bell(sound, 0, { hertz: 523.3, gain: 0.8, seconds: 0.75 });
      bell(sound, 0.16, { hertz: 784, seconds: 0.72 });
    }
  ],
  end: [
    1.1,
    0.85,
    (sound) => {
      bell(sound, 0, { hertz: 523.3, gain: 0.9, seconds: 0.8 });
      bell(sound, 0.22, { hertz: 349.2, seconds: 0.85 });
    }
  ],
  notify: [
    0.45,
    0.75,
    (sound) => {
      bar(sound, 0, { hertz: 784, gain: 0.8 });
      bar(sound, 0.1, { hertz: 1046.5, gain: 0.8 });
    }
  ],
  // Something soft and deep that does not ring.
  refused: [
    0.22,
    0.7,
    (sound) => {
      wood(sound, 0, { size: 2.6, seed: 5 });
      wood(sound, 0.09, { size: 2.9, gain: 0.8, seed: 6 });
    }
  ],
  // A clock that ticks fast.
  low: [
    0.75,
    0.8,
    (sound) => {
      for (let tick = 0; tick < 6; tick += 1) {
        wood(sound, tick * 0.11, { size: tick % 2 ? 0.52 : 0.42, gain: 0.7 + tick * 0.06, seed: 8 + tick });
      }
    }
  ]
};

/** The end fades, so that it does not crack. */
function faded(samples) {
  const last = Math.round(RATE * 0.03);
  for (let index = 0; index < last; index += 1) samples[samples.length - 1 - index] *= index / last;
  return samples;
}

mkdirSync(out, { recursive: true });
for (const [name, [seconds, loudness, render]] of Object.entries(SOUNDS)) {
  const samples = new Float64Array(Math.round(seconds * RATE));
  render(samples);
  const peak = faded(samples).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  const whole = Int16Array.from(samples, (sample) => Math.round((sample / peak) * loudness * PEAK * 32767));
  const encoder = new Mp3Encoder(1, RATE, KILOBITS);
  const parts = [encoder.encodeBuffer(whole), encoder.flush()];
  writeFileSync(join(out, `${name}.mp3`), Buffer.concat(parts.map((part) => Buffer.from(part))));
}
