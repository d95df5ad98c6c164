/** The sets of Dou Shou Qi. The strength is a symbol of its own, since rule sets differ in it; so is the character. */
import { coloured, colouredDisc, disc, engraved, groove, material, WOOD } from './discs.mjs';
import { HEADS } from './heads.mjs';
import { composed, openFamily, outline, word } from './outlines.mjs';
import { path, symbol } from './svg.mjs';

const LETTERS = [...'ELTPWDCR'];
const TRADITIONAL = [...'象獅虎豹狼狗貓鼠'];
const SIMPLIFIED = [...'象狮虎豹狼狗猫鼠'];
const STRENGTHS = [...'12345678'];
const CREAM = '#fff4d9';
const INK = '#2b1a12';

const brush = openFamily('yuji-boku', 400);
const running = openFamily('ma-shan-zheng', 400);
const figures = openFamily('barlow-condensed', 700);

const inBrush = (character, size) =>
  character === '貓'
    ? composed(brush, '豹', '猫', { until: 0.51, from: 0.34, at: 0.42 }, size)
    : outline(brush, character, size, 1);

/** The strength, in the corner at the top on the left. */
const strength = (digit) =>
  `<circle cx="-32" cy="-32" r="14" fill="${CREAM}" stroke="${INK}" stroke-width="1.8"/>` +
  path(word(figures, digit, 25), `transform="translate(-32 -32)" fill="${INK}"`);

/** The character, at the bottom on the right. */
const badge = (d) =>
  `<circle cx="32" cy="31" r="13.5" fill="${CREAM}" stroke="${INK}" stroke-width="1.6"/>` +
  path(d, `transform="translate(32 31)" fill="${INK}" stroke="${INK}" stroke-width=".5"`);

/** The ring inside the disc: whole for the first seat, dotted for the second. */
const ring = (first) =>
  first
    ? `<circle cy="-1" r="40" fill="none" stroke="${CREAM}" stroke-opacity=".85" stroke-width="2"/>`
    : `<circle cy="-1" r="40" fill="none" stroke="${CREAM}" stroke-opacity=".95" stroke-width="3.4" stroke-linecap="round" stroke-dasharray=".01 9.664"/>`;

const heads = {
  name: 'heads',
  definitions: coloured,
  piece: (id, letter, first) =>
    colouredDisc(id, '') + ring(first) + `<g transform="translate(0 .5) scale(.87)">${HEADS[letter]}</g>`,
  badges: true
};

/** Everything in one light colour on the disc. */
const silhouettes = {
  name: 'silhouettes',
  definitions: coloured,
  piece: (id, letter, first) =>
    colouredDisc(id, '') + ring(first) + `<g transform="scale(.87)">${twoTones(HEADS[letter])}</g>`,
  badges: true
};

/** A head in two tones: what is light becomes cream, what is dark the colour of the disc. */
function twoTones(drawing) {
  const light = (colour) => {
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
    return 0.3 * red + 0.59 * green + 0.11 * blue > 105;
  };
  return drawing
    .replaceAll('#fff"', '#ffffff"')
    .replaceAll(/#[0-9a-f]{6}/g, (colour) => (light(colour) ? CREAM : 'currentColor'));
}

const characters = (name, words, face) => ({
  name,
  definitions: (id) => material(id, WOOD),
  piece: (id, letter, first, index) =>
    disc(id, 'stroke="#fff8e4" stroke-opacity=".55" stroke-width=".9"') +
    groove(37, 2.2, 'currentColor') +
    (first ? '' : groove(33.2, 1.1, 'currentColor')) +
    `<g transform="translate(0 -1.2)">${engraved(face(words[index]), 'currentColor', 1.1, 1.7)}</g>`,
  badges: false
});

const SETS = [
  heads,
  silhouettes,
  characters('carved', TRADITIONAL, (character) => inBrush(character, 58)),
  characters('simplified', SIMPLIFIED, (character) => outline(running, character, 64, 1))
];

/** All sets: their names, gradients and symbols. */
export const doushouqi = SETS.map(({ name, definitions, piece, badges }) => {
  const id = `doushouqi-${name}`;
  return {
    file: `doushouqi/${name}.svg`,
    definitions: definitions(id),
    symbols: [
      ...LETTERS.map((letter, index) => symbol(`${id}-${letter}`, piece(id, letter, true, index))),
      ...LETTERS.map((letter, index) => symbol(`${id}-${letter.toLowerCase()}`, piece(id, letter, false, index))),
      ...STRENGTHS.map((digit) => symbol(`${id}-strength-${digit}`, strength(digit))),
      ...(badges
        ? LETTERS.map((letter, index) =>
            symbol(`${id}-simplified-${letter}`, badge(outline(running, SIMPLIFIED[index], 20, 1)))
          )
        : []),
      ...(badges
        ? LETTERS.map((letter, index) => symbol(`${id}-traditional-${letter}`, badge(inBrush(TRADITIONAL[index], 20))))
        : [])
    ]
  };
});
