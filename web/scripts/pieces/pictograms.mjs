/** The men of Xiangqi as pictograms in one colour, with details cut out in the colour of the disc, on a square of about 56 units. */
import { both, path } from './svg.mjs';

const CUT = 'fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"';

const general = (ink) =>
  path(
    'M-25 -17L-13 -4L0 -25L13 -4L25 -17L20 14H-20ZM-20 18H20V25H-20Z',
    `fill="${ink}" stroke="${ink}" stroke-width="2" stroke-linejoin="round"`
  ) +
  path('M-26.5 -18a3.5 3.5 0 1 0 .1 0ZM0 -29a3.8 3.8 0 1 0 .1 0ZM26.5 -18a3.5 3.5 0 1 0 .1 0Z', `fill="${ink}"`) +
  path('M0 1L5 7L0 13L-5 7Z', 'fill="currentColor"');

// The hat of an official, with its two wings.
const advisor = (ink) =>
  path('M-15 8C-16 -14 -11 -25 0 -25C11 -25 16 -14 15 8Z', `fill="${ink}"`) +
  path(both('M-14 7H-29C-33 7 -34 -2 -29 -2C-24 -2 -20 1 -14 3Z'), `fill="${ink}"`) +
  path('M-17 10Q0 15 17 10V18Q0 24 -17 18Z', `fill="${ink}"`) +
  path('M-13.5 -5Q0 -12 13.5 -5', CUT) +
  path('M0 -1L3.5 2.5L0 6L-3.5 2.5Z', 'fill="currentColor"');

const elephant = (ink) =>
  path(both('M-9 -22C-20 -30 -31 -24 -31 -9C-31 5 -23 12 -14 8L-9 -4Z'), `fill="${ink}"`) +
  path(
    'M0 -26C12 -26 16 -16 15 -6C14 2 9 5 8 11C7 18 10 21 14 17L19 20C17 28 4 30 -1 22C-5 15 -7 8 -9 4C-13 1 -15 -2 -15 -6C-16 -16 -12 -26 0 -26Z',
    `fill="${ink}"`
  ) +
  path('M-13.5 -15C-16 -8 -16 0 -12 5M13.5 -15C16 -8 16 0 12 5', CUT) +
  path(both('M-7 -9a2.6 2.6 0 1 0 .1 0Z'), 'fill="currentColor"') +
  path('M-13 8C-17 14 -16 21 -10 24C-10 18 -9 14 -8 11Z', `fill="${ink}"`);

const horse = (ink) =>
  path(
    'M-17 26C-19 10 -4 6 -3 -6C-9 -3 -14 3 -20 4C-25 5 -29 0 -26 -5C-22 -11 -17 -16 -13 -20L-12 -29L-4 -23C13 -23 23 -7 22 13L21 26Z',
    `fill="${ink}" stroke="${ink}" stroke-width="2" stroke-linejoin="round"`
  ) +
  path('M-9.5 -14a2.6 2.6 0 1 0 .1 0Z', 'fill="currentColor"') +
  path('M3 -20C12 -13 15 -2 14 12M-22 -2L-20 -1', CUT);

const chariot = (ink) => {
  let spokes = '';
  for (let index = 0; index < 4; index += 1) {
    const [x, y] = [Math.cos((index * Math.PI) / 4) * 15, Math.sin((index * Math.PI) / 4) * 15];
    spokes += `M${(-x).toFixed(1)} ${(9 - y).toFixed(1)}L${x.toFixed(1)} ${(9 + y).toFixed(1)}`;
  }
  return (
    path('M-24 -18Q0 -38 24 -18L22 -14H-22ZM-18 -9H26V-2H-18ZM18 -2L29 5L27 8L14 -2Z', `fill="${ink}"`) +
    path('M-12 -15V-8M12 -15V-8', `stroke="${ink}" stroke-width="3"`) +
    `<circle cy="9" r="20.5" fill="currentColor"/>` +
    `<circle cy="9" r="16" fill="none" stroke="${ink}" stroke-width="4"/>` +
    path(spokes, `fill="none" stroke="${ink}" stroke-width="3"`) +
    `<circle cy="9" r="4.5" fill="${ink}"/>`
  );
};

const cannon = (ink) =>
  path(
    'M-25 -2L19 -27L26 -15L-18 10C-24 13 -31 4 -25 -2Z',
    `fill="${ink}" stroke="${ink}" stroke-width="2" stroke-linejoin="round"`
  ) +
  path('M-4 4L20 24H-26Z', `fill="${ink}"`) +
  path('M13 -24L20 -11.5', CUT) +
  `<circle cx="-3" cy="12" r="15.5" fill="currentColor"/><circle cx="-3" cy="12" r="11.5" fill="none" stroke="${ink}" stroke-width="4"/>` +
  `<circle cx="-3" cy="12" r="4" fill="${ink}"/>` +
  `<circle cx="28" cy="-27" r="3.5" fill="${ink}"/>`;

// A soldier with a wide hat and a spear.
const soldier = (ink) =>
  path(
    'M-6 -28L15 -12Q-6 -5 -27 -12ZM-15 -8Q-6 -5 3 -8C3 3 -1 7 -6 7C-11 7 -15 3 -15 -8ZM-24 26C-24 13 -17 9 -6 9C5 9 12 13 12 26Z',
    `fill="${ink}" stroke="${ink}" stroke-width="1.5" stroke-linejoin="round"`
  ) +
  path('M21 -18V26', `stroke="${ink}" stroke-width="3.6" stroke-linecap="round"`) +
  path('M21 -33L26 -20L21 -15L16 -20Z', `fill="${ink}"`) +
  path('M-6 13V26', CUT);

/** The pictograms by letters. */
export const PICTOGRAMS = { K: general, A: advisor, B: elephant, N: horse, R: chariot, C: cannon, P: soldier };
