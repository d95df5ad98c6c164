/** The sets of Xiangqi. */
import { coloured, colouredDisc, disc, engraved, groove, material, WOOD } from './discs.mjs';
import { composed, openFamily, outline, word } from './outlines.mjs';
import { PICTOGRAMS } from './pictograms.mjs';
import { path, symbol } from './svg.mjs';

const LETTERS = [...'KABNRCPkabnrcp'];
const TRADITIONAL = [...'帥仕相傌俥炮兵將士象馬車砲卒'];
const SIMPLIFIED = [...'帅仕相马车炮兵将士象马车炮卒'];
const CREAM = '#fdf0d2';

const brush = openFamily('yuji-boku', 400);
const running = openFamily('ma-shan-zheng', 400);
const song = openFamily('noto-serif-tc', 900);

const isFirst = (letter) => letter === letter.toUpperCase();
const inBrush = (character, size) =>
  character === '傌'
    ? composed(brush, '仕', '馬', { until: 0.42, from: 0, at: 0.34 }, size)
    : outline(brush, character, size, 1);

/** Discs of wood with carved characters: the first seat's with one ring, the second's with two. */
const carved = (name, characters, face) => ({
  name,
  definitions: (id) => material(id, WOOD),
  piece: (id, letter, index) =>
    disc(id, 'stroke="#fff8e4" stroke-opacity=".55" stroke-width=".9"') +
    groove(37, 2.2, 'currentColor') +
    (isFirst(letter) ? '' : groove(33.2, 1.1, 'currentColor')) +
    `<g transform="translate(0 -1.2)">${engraved(face(characters[index]), 'currentColor', 1.1, 1.7)}</g>`
});

/** Discs in the colours of their sides, with a pictogram for people who read no Chinese and a small character for all others. */
const hybrid = {
  name: 'hybrid',
  definitions: coloured,
  piece: (id, letter, index) =>
    colouredDisc(id, '') +
    // A light rim: without it red discs sink into rosewood, and black ones into slate.
    `<circle r="45.2" fill="none" stroke="${CREAM}" stroke-opacity=".6" stroke-width="1.6"/>` +
    `<circle cy="-1" r="38.5" fill="none" stroke="${CREAM}" stroke-width="1.8" ${isFirst(letter) ? '' : 'stroke-dasharray="5 3.06"'}/>` +
    `<g transform="translate(0 -7.5) scale(.96)">${PICTOGRAMS[letter.toUpperCase()](CREAM)}</g>` +
    path(outline(song, TRADITIONAL[index], 18, 1), `transform="translate(0 27)" fill="${CREAM}"`)
};

/** Jade in two shades. */
const jade = {
  name: 'jade',
  definitions: (id) => [
    ...material(id, {
      face: [
        [0, '#fdfff6'],
        [0.6, '#e2ecd8'],
        [1, '#b5c9ae']
      ],
      rim: [
        [0, '#f4f9ea'],
        [0.5, '#a9bfa2'],
        [1, '#617a5d']
      ]
    }),
    ...material(`${id}-dark`, {
      face: [
        [0, '#4f9a7c'],
        [0.55, '#23664f'],
        [1, '#0f4132']
      ],
      rim: [
        [0, '#6db394'],
        [0.5, '#1d5a45'],
        [1, '#08281e']
      ]
    })
  ],
  piece: (id, letter, index) => {
    const first = isFirst(letter);
    const ink = first ? '#b01f16' : '#f7dc8c';
    const glyph = outline(song, TRADITIONAL[index], 54, 1);
    return (
      disc(first ? id : `${id}-dark`, `stroke="#fff" stroke-opacity="${first ? '.8' : '.25'}" stroke-width=".9"`) +
      `<circle cy="-1.2" r="36.5" fill="none" stroke="${ink}" stroke-width="${first ? 2 : 1.4}"/>` +
      (first ? '' : `<circle cy="-1.2" r="33" fill="none" stroke="${ink}" stroke-width="1"/>`) +
      `<g transform="translate(0 -1.2)">${path(glyph, `transform="translate(0 1)" fill="${first ? '#fff' : '#062118'}" opacity=".8"`)}${path(glyph, `fill="${ink}"`)}</g>`
    );
  }
};

/** Ivory and ebony with the letters that western books use. */
const letters = {
  name: 'letters',
  definitions: (id) => [
    ...material(id, {
      face: [
        [0, '#fffdf5'],
        [0.6, '#f5ead2'],
        [1, '#d6c199']
      ],
      rim: [
        [0, '#fff6de'],
        [0.5, '#c9ae7c'],
        [1, '#7c6237']
      ]
    }),
    ...material(`${id}-dark`, {
      face: [
        [0, '#5a4d45'],
        [0.55, '#2e2622'],
        [1, '#15110f']
      ],
      rim: [
        [0, '#b8a48f'],
        [0.5, '#6a5a4d'],
        [1, '#2b221d']
      ]
    })
  ],
  piece: (id, letter) => {
    const first = isFirst(letter);
    const ink = first ? '#a81c14' : '#f8e9c8';
    // As in most western books: Elephant, Horse, Soldier.
    const shown = { B: 'E', N: 'H', P: 'S' }[letter.toUpperCase()] ?? letter.toUpperCase();
    return (
      disc(first ? id : `${id}-dark`, `stroke="#fff" stroke-opacity="${first ? '.8' : '.2'}" stroke-width=".9"`) +
      `<circle cy="-1.2" r="37" fill="none" stroke="${ink}" stroke-width="2"/>` +
      path(word(song, shown, 60), `transform="translate(0 -1.2)" fill="${ink}"`)
    );
  }
};

const SETS = [
  carved('carved', TRADITIONAL, (character) => inBrush(character, 60)),
  carved('simplified', SIMPLIFIED, (character) => outline(running, character, 66, 1)),
  hybrid,
  jade,
  letters
];

/** All sets: their names, gradients and symbols. */
export const xiangqi = SETS.map(({ name, definitions, piece }) => {
  const id = `xiangqi-${name}`;
  return {
    file: `xiangqi/${name}.svg`,
    definitions: definitions(id),
    symbols: LETTERS.map((letter, index) => symbol(`${id}-${letter}`, piece(id, letter, index)))
  };
});
