/** The boards of Xiangqi. */
import {
  at,
  frame,
  group,
  LAYOUT,
  noise,
  path,
  picture,
  random,
  rect,
  n,
  size,
  wood,
  wooden,
  words
} from './drawing.mjs';

const GAME = 'xiangqi';
const { x: LEFT, y: TOP } = at(GAME, 'a10');
const { x: RIGHT, y: BOTTOM } = at(GAME, 'i1');
const { width: WIDTH, height: HEIGHT } = size(GAME);
const [FAR, NEAR] = [at(GAME, 'a6').y, at(GAME, 'a5').y];
/** How far outside of the lines the border lies. */
const BORDER = 26;

const POINTS = 'b3 h3 b8 h8 a4 c4 e4 g4 i4 a7 c7 e7 g7 i7'.split(' ');

/** The four brackets around a point; at the edge only those inside. */
function brackets(square) {
  const { x, y } = at(GAME, square);
  const sides = square.startsWith('a') ? [1] : square.startsWith('i') ? [-1] : [-1, 1];
  return sides
    .flatMap((side) => [-1, 1].map((up) => `M${x + side * 9} ${y + up * 24}V${y + up * 9}H${x + side * 24}`))
    .join('');
}

const GRID = [
  ...Array.from({ length: 10 }, (_, row) => `M${LEFT} ${TOP + row * 100}H${RIGHT}`),
  ...Array.from({ length: 7 }, (_, column) => LEFT + (column + 1) * 100).map(
    (x) => `M${x} ${TOP}V${FAR}M${x} ${NEAR}V${BOTTOM}`
  ),
  `M${LEFT} ${TOP}V${BOTTOM}M${RIGHT} ${TOP}V${BOTTOM}`
].join('');
const PALACES = ['d1f3', 'f1d3', 'd8f10', 'f8d10']
  .map((both) => both.match(/[a-z]\d+/g).map((square) => at(GAME, square)))
  .map(([from, to]) => `M${from.x} ${from.y}L${to.x} ${to.y}`)
  .join('');

/** Lines and words are drawn once and used in each colour. */
function drawn(id, thick) {
  const border = (by, width) =>
    rect(LEFT - by, TOP - by, RIGHT - LEFT + 2 * by, BOTTOM - TOP + 2 * by, `stroke-width="${width}"`);
  // Left to right for both players.
  const middle = (FAR + NEAR) / 2;
  const river = [...'楚河漢界'].map((word, index) => words(word, LEFT + [140, 275, 525, 660][index], middle, 94, ''));
  return [
    group(
      `id="${id}-lines" fill="none"`,
      border(BORDER, 6),
      border(BORDER - 8, 1.5),
      path(GRID, `stroke-width="${thick}"`),
      path(PALACES, `stroke-width="${n(thick * 0.8)}"`),
      path(POINTS.map(brackets).join(''), `stroke-width="${thick}"`)
    ),
    group(`id="${id}-river"`, river)
  ];
}

/** Lines and words in a colour. `below` is a second colour, a little lower: as if they were cut in. */
function inked(id, ink, below) {
  const once = (colour, more) => [
    `<use href="#${id}-lines" stroke="${colour}" ${more}/>`,
    `<use href="#${id}-river" fill="${colour}" ${more}/>`
  ];
  return [below ? once(below, 'transform="translate(1.3 1.6)" opacity="0.7"') : [], once(ink, '')];
}

/** A board of wood. */
function woodenBoard(name, { outer, ground, dark, light, ink, below, seed, depth = 1, extra = () => [] }) {
  const id = `${GAME}-${name}`;
  return picture(GAME, [
    '<defs>',
    wood(id, dark, light, seed),
    drawn(id, 2.6),
    '</defs>',
    frame(GAME, id, { outer, ground, texture: (shape) => wooden(id, shape, depth) }),
    extra(),
    inked(id, ink, below)
  ]);
}

/** Strips of bamboo beside each other, with the knots of their joints. */
function strips() {
  const inset = LAYOUT[GAME].frame;
  const draw = random(11);
  const wide = (WIDTH - 2 * inset) / 18;
  return Array.from({ length: 18 }, (_, index) => {
    const x = inset + index * wide;
    const shade = (0.02 + draw() * 0.16).toFixed(2);
    const knots = [draw() * 260 + 60, draw() * 260 + 400, draw() * 260 + 730].map(
      (y) => `M${n(x + 1)} ${n(y)}q${n(wide / 2)} 5 ${n(wide - 2)} 0m${n(2 - wide)} 5q${n(wide / 2)} 4 ${n(wide - 2)} 0`
    );
    return [
      rect(x, inset, wide, HEIGHT - 2 * inset, `fill="#7a6420" fill-opacity="${shade}"`),
      path(`M${n(x)} ${inset}V${HEIGHT - inset}`, 'stroke="#5f4d18" stroke-opacity="0.4" stroke-width="1.4"'),
      path(`M${n(x + 2)} ${inset}V${HEIGHT - inset}`, 'stroke="#fffbe0" stroke-opacity="0.5" stroke-width="1.6"'),
      path(knots.join(''), 'fill="none" stroke="#6d5a1e" stroke-opacity="0.28" stroke-width="2"')
    ];
  });
}

/** A sheet of paper, mounted on silk as a scroll is. */
function paper() {
  const id = `${GAME}-paper`;
  const silk = Array.from({ length: 3 }, (_, ring) =>
    rect(9 + ring * 9, 9 + ring * 9, WIDTH - 18 - ring * 18, HEIGHT - 18 - ring * 18, 'rx="4"')
  );
  const seal = [
    rect(RIGHT - 2, BOTTOM + 31, 17, 17, 'rx="2" fill="#b3261e" fill-opacity="0.85"'),
    path(
      `M${RIGHT + 2} ${BOTTOM + 35}h9v9h-9zm4.500 0v9m-4.500 -4.500h9`,
      'fill="none" stroke="#f8f0dd" stroke-width="1.4"'
    )
  ];
  return picture(GAME, [
    '<defs>',
    drawn(id, 2.4),
    noise(`${id}-fibres`, {
      colour: '#8a7448',
      across: 0.35,
      down: 0.12,
      octaves: 3,
      seed: 21,
      strength: 1.6,
      base: -0.72
    }),
    noise(`${id}-age`, { colour: '#b98f4a', across: 0.003, down: 0.004, octaves: 2, seed: 9, strength: 2, base: -0.8 }),
    noise(`${id}-weave`, { colour: '#e8d9a8', across: 0.5, down: 0.06, octaves: 2, seed: 5, strength: 2, base: -0.9 }),
    '</defs>',
    frame(GAME, id, {
      outer: ['#3f5a66', '#2f4650'],
      ground: ['#faf4e3', '#f1e6cb'],
      texture: (shape, where) =>
        where === 'frame'
          ? shape(`filter="url(#${id}-weave)" opacity="0.25"`)
          : [shape(`filter="url(#${id}-fibres)" opacity="0.4"`), shape(`filter="url(#${id}-age)" opacity="0.3"`)],
      light: 0.2,
      dark: 0.3
    }),
    group('fill="none" stroke="#d8c48a" stroke-opacity="0.35" stroke-width="1.2"', silk[0], silk[2]),
    inked(id, '#3a332b', null),
    seal
  ]);
}

/** Slate at night, with lines of chalk. */
function slate() {
  const id = `${GAME}-slate`;
  return picture(GAME, [
    '<defs>',
    drawn(id, 2.4),
    noise(`${id}-stone`, {
      colour: '#9fb2bf',
      across: 0.006,
      down: 0.012,
      octaves: 3,
      seed: 8,
      strength: 2.4,
      base: -1.1
    }),
    noise(`${id}-dust`, { colour: '#dfe8ec', across: 0.7, down: 0.7, octaves: 1, seed: 3, strength: 2.6, base: -1.6 }),
    '</defs>',
    frame(GAME, id, {
      outer: ['#20262b', '#12161a'],
      ground: ['#343d45', '#262d34'],
      texture: (shape) => [
        shape(`filter="url(#${id}-stone)" opacity="0.16"`),
        shape(`filter="url(#${id}-dust)" opacity="0.25"`)
      ],
      light: 0.14,
      dark: 0.6
    }),
    inked(id, '#b4c1c8', null)
  ]);
}

/** The boards by their names. */
export const boards = {
  walnut: () =>
    woodenBoard('walnut', {
      outer: ['#6e4221', '#4a2912'],
      ground: ['#dfb577', '#cd9b58'],
      dark: '#7a4a1c',
      light: '#ffe6b4',
      ink: '#4b2a10',
      below: '#f3d9a4',
      seed: 4
    }),
  rosewood: () =>
    woodenBoard('rosewood', {
      outer: ['#4a1712', '#2b0b09'],
      ground: ['#85372a', '#68241c'],
      dark: '#2d0906',
      light: '#c8705a',
      ink: '#e5bd7c',
      below: '#3a0f0a',
      seed: 12
    }),
  bamboo: () =>
    woodenBoard('bamboo', {
      outer: ['#8a6a34', '#664a20'],
      ground: ['#f0e0ac', '#e4cd8c'],
      dark: '#8f6d2c',
      light: '#fffbe0',
      ink: '#453c14',
      below: '#fbf4d2',
      seed: 30,
      depth: 0.35,
      extra: strips
    }),
  paper,
  slate
};
