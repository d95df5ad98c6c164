/** Sounds of struck things: a struck body rings in a few modes that die away, and what strikes it adds a burst of noise. */

/** Samples in a second. */
export const RATE = 44100;

/** The same noise at each run. */
function* noise(seed) {
  let state = seed >>> 0;
  for (;;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 31 - 1;
  }
}

/** Adds a mode: a sine of `hertz` that falls to a thousandth within `seconds`. */
function ring(samples, at, { hertz, seconds, gain }) {
  const first = Math.round(at * RATE);
  const decay = Math.log(1000) / (seconds * RATE);
  for (let index = first; index < samples.length; index += 1) {
    const time = index - first;
    // Half a millisecond to rise, so that nothing cracks.
    const rise = Math.min(1, time / (RATE * 0.0005));
    samples[index] += gain * rise * Math.exp(-decay * time) * Math.sin((2 * Math.PI * hertz * time) / RATE);
  }
}

/** Adds a burst of noise around `hertz`, through a resonant filter. */
function burst(samples, at, { hertz, seconds, gain, width = 1.5, seed = 1 }) {
  const omega = (2 * Math.PI * hertz) / RATE;
  const alpha = Math.sin(omega) / (2 * width);
  const [b0, a1, a2] = [alpha / (1 + alpha), (-2 * Math.cos(omega)) / (1 + alpha), (1 - alpha) / (1 + alpha)];
  const source = noise(seed);
  const first = Math.round(at * RATE);
  const decay = Math.log(1000) / (seconds * RATE);
  let [x1, x2, y1, y2] = [0, 0, 0, 0];
  for (let index = first; index < samples.length; index += 1) {
    const x = source.next().value * Math.exp(-decay * (index - first));
    const y = b0 * (x - x2) - a1 * y1 - a2 * y2;
    [x2, x1, y2, y1] = [x1, x, y1, y];
    samples[index] += gain * y;
  }
}

/** A disc of wood that is put onto a board. `size` 1 is a piece of Xiangqi; a larger one sounds deeper and longer. */
export function wood(samples, at, { size = 1, gain = 1, seed = 1 }) {
  const modes = [
    [310, 0.075, 0.55],
    [740, 0.06, 0.5],
    [1390, 0.042, 0.34],
    [2260, 0.03, 0.2],
    [3580, 0.02, 0.1]
  ];
  for (const [hertz, seconds, loud] of modes) {
    ring(samples, at, { hertz: hertz / size, seconds: seconds * size, gain: loud * gain });
  }
  burst(samples, at, { hertz: 2600 / size, seconds: 0.012 * size, gain: 1.5 * gain, seed });
}

/** A bar of hard wood, as of a marimba. */
export function bar(samples, at, { hertz, gain = 1, seconds = 0.35 }) {
  ring(samples, at, { hertz, seconds, gain: 0.6 * gain });
  ring(samples, at, { hertz: hertz * 3.93, seconds: seconds * 0.3, gain: 0.22 * gain });
  ring(samples, at, { hertz: hertz * 9.2, seconds: seconds * 0.1, gain: 0.08 * gain });
  burst(samples, at, { hertz: hertz * 4, seconds: 0.008, gain: 0.7 * gain, seed: 7 });
}

/** A small bell of bronze: its partials beat a little. */
export function bell(samples, at, { hertz, gain = 1, seconds = 0.9 }) {
  const partials = [
    [0.5, 1, 0.2],
    [1, 0.9, 0.42],
    [1.003, 0.9, 0.26],
    [2.006, 0.55, 0.2],
    [2.76, 0.4, 0.16],
    [5.42, 0.18, 0.08]
  ];
  for (const [ratio, long, loud] of partials) {
    ring(samples, at, { hertz: hertz * ratio, seconds: seconds * long, gain: loud * gain });
  }
  burst(samples, at, { hertz: 3200, seconds: 0.006, gain: 0.4 * gain, seed: 3 });
}
