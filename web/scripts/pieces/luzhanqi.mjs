/**
 * The sets of Luzhanqi: blocks that stand on the board. What is not known has one back for each seat, so that all hidden pieces look
 * alike, whatever they are.
 */
import { openFamily, outline, word } from './outlines.mjs';
import { downwards, path, symbol } from './svg.mjs';

const LETTERS = [...'MGDBKJCLENXF'];
const STRENGTHS = { M: '9', G: '8', D: '7', B: '6', K: '5', J: '4', C: '3', L: '2', E: '1' };
const WORDS = {
  M: 'FM',
  G: 'GEN',
  D: 'MG',
  B: 'BRIG',
  K: 'COL',
  J: 'MAJ',
  C: 'CAPT',
  L: 'LT',
  E: 'ENG',
  N: 'BOMB',
  X: 'MINE',
  F: 'FLAG'
};
const SIMPLIFIED = '司令 军长 师长 旅长 团长 营长 连长 排长 工兵 炸弹 地雷 军旗'.split(' ');
const TRADITIONAL = '司令 軍長 師長 旅長 團長 營長 連長 排長 工兵 炸彈 地雷 軍旗'.split(' ');
const CREAM = '#fdf3dc';

const kai = openFamily('lxgw-wenkai-tc', 700);
const song = openFamily('noto-serif-tc', 900);
const figures = openFamily('barlow-condensed', 700);

/** The first seat's blocks have round corners, the second's cut ones: sides differ in more than their hue. */
const TILE = {
  first: 'M-46 -32H46Q57 -32 57 -21V19Q57 30 46 30H-46Q-57 30 -57 19V-21Q-57 -32 -46 -32Z',
  second: 'M-45 -32H45L57 -20V18L45 30H-45L-57 18V-20Z'
};

/** Block and shadow: the face lies 4 units above the edge of the block. */
const block = (id, seat, sides) =>
  path(TILE[seat], 'transform="translate(2.5 9) scale(1.02 1.03)" fill="#1c0e00" opacity=".2"') +
  path(TILE[seat], 'transform="translate(.8 6.5)" fill="#1c0e00" opacity=".45"') +
  path(TILE[seat], `transform="translate(0 4.5)" ${sides}`);

const definitions = (id, [light, middle, deep]) => [
  downwards(`${id}-face`, [
    [0, light],
    [0.7, middle],
    [1, deep]
  ]),
  downwards(`${id}-gloss`, [
    [0, '#fff', 0.3],
    [0.5, '#fff', 0.04],
    [1, '#000', 0.22]
  ])
];

/** A block of a light material with a line in the colour of its side. */
const light = (id, seat, edge) =>
  block(id, seat, `fill="${edge}"`) +
  path(TILE[seat], `fill="url(#${id}-face)" stroke="currentColor" stroke-width="2.6"`) +
  path(TILE[seat], 'transform="scale(.935 .885)" fill="none" stroke="currentColor" stroke-width="1" opacity=".5"');

/** A block in the colour of its side. */
const full = (id, seat) =>
  block(id, seat, 'fill="currentColor"') +
  path(TILE[seat], 'transform="translate(0 4.5)" fill="#000" opacity=".45"') +
  path(TILE[seat], 'fill="currentColor"') +
  path(TILE[seat], `fill="url(#${id}-gloss)"`) +
  path(TILE[seat], `transform="scale(.935 .885)" fill="none" stroke="${CREAM}" stroke-width="1.4" opacity=".75"`);

/** Lines from the left below to the right above, and the other way, within the face. */
function lattice() {
  let d = '';
  for (let x = -72; x <= 72; x += 12) {
    for (const way of [1, -1]) {
      const [left, right] = [Math.max(-50, x - 25), Math.min(50, x + 25)];
      if (left < right) d += `M${left} ${way * (left - x) - 1}L${right} ${way * (right - x) - 1}`;
    }
  }
  return d;
}

const SIGN = {
  first: 'M0 -16L4.7 -5.5L16 -4.3L7.6 3.4L10 14.6L0 8.900L-10 14.6L-7.6 3.4L-16 -4.3L-4.7 -5.5Z',
  second: 'M0 -17L19 -1L0 15L-19 -1ZM0 -8.5L-9 -1L0 6.5L9 -1Z'
};

/** The back: the colour of the side, quietened, with a fine lattice. */
const back = (id, seat) =>
  block(id, seat, 'fill="currentColor"') +
  path(TILE[seat], 'transform="translate(0 4.5)" fill="#14100c" opacity=".62"') +
  path(TILE[seat], 'fill="currentColor"') +
  path(TILE[seat], 'fill="#4a4038" opacity=".4"') +
  path(TILE[seat], `fill="url(#${id}-gloss)"`) +
  path(lattice(), 'fill="none" stroke="#fff" stroke-width=".9" opacity=".16"') +
  path(TILE[seat], `transform="scale(.9 .82)" fill="none" stroke="${CREAM}" stroke-width="1.2" opacity=".45"`) +
  path(SIGN[seat], `fill="${CREAM}" fill-rule="evenodd" opacity=".62"`);

const star = (x, y, r) => {
  let d = '';
  for (let index = 0; index < 10; index += 1) {
    const [radius, at] = [index % 2 ? r * 0.42 : r, (index * Math.PI) / 5];
    d += `${index ? 'L' : 'M'}${(x + Math.sin(at) * radius).toFixed(1)} ${(y - Math.cos(at) * radius).toFixed(1)}`;
  }
  return `${d}Z`;
};
const diamond = (x, y) => `M${x} ${y - 9}L${x + 8} ${y}L${x} ${y + 9}L${x - 8} ${y}Z`;
const bar = (x, y) => `M${x - 4.5} ${y - 8.5}H${x + 4.5}V${y + 8.5}H${x - 4.5}Z`;
const row = (count, step, y, shape) =>
  Array.from({ length: count }, (_, index) => shape((index - (count - 1) / 2) * step, y)).join('');

/** What officers wear: stars for generals, diamonds for staff officers, bars for the others, tools for engineers. */
const INSIGNIA = {
  M: row(4, 17, 0, (x, y) => star(x, y, 9)),
  G: row(3, 20, 0, (x, y) => star(x, y, 10)),
  D: row(2, 21, 0, (x, y) => star(x, y, 10)),
  B: star(0, 0, 10.5),
  K: row(2, 20, 0, diamond),
  J: diamond(0, 0),
  C: row(2, 15, 0, bar),
  L: bar(0, 0),
  E: 'M-13 6L3 -6L0 -9.500L8 -9L9 -1L5.5 -4L-10 9.500ZM13 6L-1 -4.500L-5 -1L-10 -6L-5 -10L0 -7L15 3Z'
};

/** Things that have no rank. */
const THINGS = {
  N: 'M-4 -9A15 15 0 1 0 11 3L7 -2L10 -5L4 -11L1 -8Q-1 -9 -4 -9ZM6 -10Q9 -17 15 -15L16 -18Q7 -21 3.5 -11ZM18 -22L19.5 -17L24 -18L20.5 -14.500L23 -11L18.5 -12.500Z',
  X: 'M-3 -19H3V-13.500A14 14 0 0 1 7.5 -11.500L11.5 -15.500L15.5 -11.500L11.5 -7.500A14 14 0 0 1 13.5 -3H19V3H13.500A14 14 0 0 1 11.5 7.500L15.5 11.500L11.5 15.500L7.5 11.500A14 14 0 0 1 3 13.500V19H-3V13.500A14 14 0 0 1 -7.5 11.500L-11.5 15.500L-15.5 11.500L-11.5 7.500A14 14 0 0 1 -13.5 3H-19V-3H-13.500A14 14 0 0 1 -11.5 -7.500L-15.5 -11.500L-11.5 -15.500L-7.5 -11.500A14 14 0 0 1 -3 -13.500ZM0 -5A5 5 0 1 0 .1 -5Z',
  F: 'M-11 -19H-7.500V-16Q0 -20 6 -16Q12 -12.5 17 -16V2Q12 5.5 6 2Q0 -1.5 -7.5 2V19H-11Z'
};
for (const table of [INSIGNIA, THINGS])
  for (const key of Object.keys(table)) table[key] = table[key].replaceAll('.500', '.5');

/** Digit, insignia and abbreviation; things that have no rank with a picture. */
const ranked = (letter, ink) =>
  STRENGTHS[letter]
    ? path(word(figures, STRENGTHS[letter], 62), `transform="translate(-35 -1)" fill="${ink}"`) +
      path(INSIGNIA[letter], `transform="translate(15 -14)" fill="${ink}"`) +
      path(word(figures, WORDS[letter], 33, 66), `transform="translate(15 12)" fill="${ink}"`)
    : path(THINGS[letter], `transform="translate(-32 -1)" fill="${ink}" fill-rule="evenodd"`) +
      path(word(figures, WORDS[letter], 34, 54), `transform="translate(21 -1)" fill="${ink}"`);

const insignia = {
  name: 'insignia',
  definitions: (id) => definitions(id, ['#fffaf0', '#f8ecd2', '#e6d2a8']),
  piece: (id, letter, seat) => light(id, seat, '#b99862') + ranked(letter, 'currentColor'),
  guess: (letter) => noted(ranked(letter, '#2b1a12'))
};

/** The same with the sides told apart by what fills the block. */
const bold = {
  name: 'bold',
  definitions: (id) => definitions(id, ['#fffaf0', '#f8ecd2', '#e6d2a8']),
  piece: (id, letter, seat) => full(id, seat) + ranked(letter, CREAM),
  guess: insignia.guess
};

const pair = (find, characters, size, step) =>
  [...characters]
    .map((character, index) => [outline(find, character, size, 1), (index - 0.5) * step])
    .map(([d, x]) => ({ d, x }));

const small = (letter) =>
  STRENGTHS[letter]
    ? path(word(figures, STRENGTHS[letter], 24), 'transform="translate(48 17)" fill="currentColor"')
    : path(THINGS[letter], 'transform="translate(46 18) scale(.36)" fill="currentColor" fill-rule="evenodd"');

/** Two characters, with the rank as a small digit. */
const written = (name, { find, names, weight }, material, edge) => ({
  name,
  definitions: (id) => definitions(id, material),
  piece: (id, letter, seat) =>
    light(id, seat, edge) +
    pair(find, names[LETTERS.indexOf(letter)], 45, 45)
      .map(({ d, x }) =>
        path(d, `transform="translate(${x - 3} -1)" fill="currentColor" stroke="currentColor" stroke-width="${weight}"`)
      )
      .join('') +
    small(letter),
  guess: (letter) =>
    noted(
      pair(find, names[LETTERS.indexOf(letter)], 38, 39)
        .map(({ d, x }) => path(d, `transform="translate(${x + (STRENGTHS[letter] ? 10 : 0)} -1)" fill="#2b1a12"`))
        .join('') +
        (STRENGTHS[letter]
          ? path(word(figures, STRENGTHS[letter], 44), 'transform="translate(-40 -1)" fill="#2b1a12"')
          : '')
    )
});

/** A guess at what a back hides lies on it as a slip of paper: light, dashed, smaller than a face. */
const noted = (content) =>
  `<rect x="-49" y="-24.5" width="98" height="47" rx="5" fill="#fffbe8" fill-opacity=".93" stroke="#2b1a12" stroke-opacity=".7" stroke-width="1.6" stroke-dasharray="5 3.5"/>` +
  `<g transform="translate(0 -.2) scale(.8)">${content}</g>`;

const SETS = [
  insignia,
  bold,
  written('simplified', { find: kai, names: SIMPLIFIED, weight: 1.3 }, ['#fffaf0', '#f8ecd2', '#e6d2a8'], '#b99862'),
  written('bamboo', { find: song, names: TRADITIONAL, weight: 0 }, ['#fbf3c9', '#ecd993', '#cfae5c'], '#4f7a3a')
];

/** All sets: their names, gradients and symbols. */
export const luzhanqi = SETS.map(({ name, definitions: gradients, piece, guess }) => {
  const id = `luzhanqi-${name}`;
  return {
    file: `luzhanqi/${name}.svg`,
    definitions: gradients(id),
    symbols: [
      ...LETTERS.map((letter) => symbol(`${id}-${letter}`, piece(id, letter, 'first'))),
      symbol(`${id}-U`, back(id, 'first')),
      ...LETTERS.map((letter) => symbol(`${id}-${letter.toLowerCase()}`, piece(id, letter, 'second'))),
      symbol(`${id}-u`, back(id, 'second')),
      ...LETTERS.map((letter) => symbol(`${id}-guess-${letter}`, guess(letter)))
    ]
  };
});
