/** The boards of Dou Shou Qi. */
import {
  at,
  blur,
  circle,
  frame,
  group,
  LAYOUT,
  n,
  noise,
  path,
  picture,
  random,
  rect,
  size,
  wood,
  wooden,
  words
} from './drawing.mjs';

const GAME = 'doushouqi';
const { width: WIDTH, height: HEIGHT } = size(GAME);
const INSET = LAYOUT[GAME].frame;
/** Where the cells begin. */
const [LEFT, TOP] = [at(GAME, 'a9').x - 50, at(GAME, 'a9').y - 50];

const TRAPS = 'c1 e1 d2 c9 e9 d8'.split(' ');
const DENS = 'd1 d9'.split(' ');
const LAKES = ['b6', 'e6'].map((corner) => at(GAME, corner)).map(({ x, y }) => ({ x: x - 50, y: y - 50 }));
const isWater = (file, rank) => 'bcef'.includes(file) && rank >= 4 && rank <= 6;
const LAND = Array.from({ length: 63 }, (_, index) => ['abcdefg'[index % 7], Math.floor(index / 7) + 1])
  .filter(([file, rank]) => !isWater(file, rank))
  .map(([file, rank]) => at(GAME, `${file}${rank}`));

/** A lake of two by three cells, with a shore that nobody measured. */
function shore(seed, inset) {
  const draw = random(seed);
  const points = [];
  const side = (x1, y1, x2, y2, count) => {
    for (let step = 0; step < count; step += 1) {
      const part = step / count;
      const [dx, dy] = [(draw() - 0.5) * 9, (draw() - 0.5) * 9];
      points.push([x1 + (x2 - x1) * part + dx, y1 + (y2 - y1) * part + dy]);
    }
  };
  const [a, b, w, h] = [inset, inset + 26, 200 - inset, 300 - inset];
  side(b, a, w - 26, a, 4);
  side(w, b, w, h - 26, 6);
  side(w - 26, h, b, h, 4);
  side(a, h - 26, a, b, 6);
  const middle = (one, other) => [n((one[0] + other[0]) / 2), n((one[1] + other[1]) / 2)].join(' ');
  const curves = points.map(
    (point, index) => `Q${point.map(n).join(' ')} ${middle(point, points[(index + 1) % points.length])}`
  );
  return `M${middle(points.at(-1), points[0])}${curves.join('')}Z`;
}

/** Where a swimming rat can be. */
const WATER_CELLS = 'M100 12V288M12 100H188M12 200H188';

function waves(seed) {
  const draw = random(seed);
  return Array.from({ length: 14 }, (_, index) => {
    const [x, y] = [18 + (index % 2) * 92 + draw() * 34, 26 + Math.floor(index / 2) * 40 + draw() * 8];
    return `M${n(x)} ${n(y)}q9 -8 18 0t18 0`;
  }).join('');
}

/** A tuft of reeds. */
const REEDS = 'M0 0q-3 -18 -9 -26M0 0q0 -20 1 -34M0 0q4 -16 11 -22M4 0q5 -10 14 -12M-4 0q-6 -10 -13 -11';
const CATTAILS = 'M1 -34v-11M-9 -26l-2 -9';

function lakes(id, { deep, shallow, sand, waterLine, wave, reed, cattail }) {
  return LAKES.map(({ x, y }, index) =>
    group(
      `transform="translate(${x} ${y})"`,
      path(shore(40 + index, 3), `fill="${sand}"`),
      path(shore(50 + index, 9), `fill="url(#${id}-water)" stroke="${shallow}" stroke-width="3"`),
      path(shore(60 + index, 22), `fill="${deep}" fill-opacity="0.35"`),
      path(WATER_CELLS, `stroke="${waterLine}" stroke-opacity="0.4" stroke-width="2" stroke-dasharray="7 8"`),
      path(
        waves(70 + index),
        `fill="none" stroke="${wave}" stroke-width="3" stroke-opacity="0.75" stroke-linecap="round"`
      ),
      [
        [14, 40],
        [184, 292],
        [26, 296],
        [178, 30]
      ].map(([left, down]) =>
        group(
          `transform="translate(${left} ${down}) scale(0.8)" fill="none" stroke-linecap="round"`,
          path(REEDS, `stroke="${reed}" stroke-width="4"`),
          path(CATTAILS, `stroke="${cattail}" stroke-width="6"`)
        )
      )
    )
  );
}

/** A net of rope over a pit. */
function trap({ pit, rope, knot, leaf }) {
  const strings = [];
  for (let by = -60; by <= 60; by += 20) strings.push(`M${by - 40} -40l80 80M${by + 40} -40l-80 80`);
  const leaves = [
    [-34, -32, 40],
    [34, 33, 200],
    [36, -34, 120],
    [-35, 35, 300]
  ].map(([x, y, turn]) =>
    path(
      'M0 0q10 -13 24 -6q-8 14 -24 6z',
      `fill="${leaf}" transform="translate(${x} ${y}) rotate(${turn}) translate(-8 0)"`
    )
  );
  return [
    rect(-42, -42, 84, 84, `rx="14" fill="${pit}"`),
    group(
      'clip-path="url(#ID-net)"',
      path(strings.join(''), `stroke="${knot}" stroke-width="6.5" stroke-opacity="0.5"`),
      path(strings.join(''), `stroke="${rope}" stroke-width="3.6"`)
    ),
    rect(-41, -41, 82, 82, `rx="13" fill="none" stroke="${knot}" stroke-width="7"`),
    rect(-41, -41, 82, 82, `rx="13" fill="none" stroke="${rope}" stroke-width="4" stroke-dasharray="9 3"`),
    leaves
  ];
}

/** A cave in a rock, seen from the front. Its banners are not here: they have the colour of its side. */
function den({ rock, rockLit, rockEdge, hole, denInk }) {
  return [
    path(
      'M-47 46Q-52 10 -40 -14Q-32 -38 -8 -44Q20 -49 36 -28Q50 -8 47 46Z',
      `fill="${rock}" stroke="${rockEdge}" stroke-width="3" stroke-linejoin="round"`
    ),
    path(
      'M-40 -10Q-30 -36 -8 -41L-14 -26L-30 -12ZM6 -44Q26 -42 34 -26L22 -26ZM-46 36L-40 2L-33 20Z',
      `fill="${rockLit}"`
    ),
    path('M-28 46V10Q-28 -22 0 -22Q28 -22 28 10V46Z', `fill="${hole}" stroke="${rockEdge}" stroke-width="3"`),
    path('M-28 46Q-12 38 0 41T28 46Z', `fill="${rockLit}" fill-opacity="0.5"`),
    words('獸穴', 0, 14, 24, `fill="${denInk}"`)
  ];
}

const places = (squares, id, what) =>
  squares.map((square) => at(GAME, square)).map(({ x, y }) => `<use href="#${id}-${what}" x="${x}" y="${y}"/>`);

const shared = (id, look) => [
  `<clipPath id="${id}-net">${rect(-40, -40, 80, 80, 'rx="12"')}</clipPath>`,
  `<radialGradient id="${id}-water" r="0.75"><stop offset="0" stop-color="${look.deep}"/><stop offset="1" stop-color="${look.shallow}"/></radialGradient>`,
  group(`id="${id}-trap"`, trap(look)).join('\n').replaceAll('#ID-', `#${id}-`),
  group(`id="${id}-den"`, den(look))
];

/** Leaves that hang over the frame. */
function leaves(colours, seed) {
  const draw = random(seed);
  const around = Array.from({ length: 64 }, () => {
    const along = draw();
    const side = Math.floor(draw() * 4);
    const [x, y] = [
      [along * WIDTH, 12],
      [along * WIDTH, HEIGHT - 12],
      [12, along * HEIGHT],
      [WIDTH - 12, along * HEIGHT]
    ][side];
    return {
      x,
      y,
      turn: Math.round(draw() * 360),
      large: 0.7 + draw() * 0.7,
      colour: colours[Math.floor(draw() * colours.length)]
    };
  });
  // Where the coordinates stand, they have to be read.
  return around
    .filter(({ x, y }) => Math.abs(((x - LEFT) % 100) - 50) > 32 || Math.abs(((y - TOP) % 100) - 50) > 32)
    .map(({ x, y, turn, large, colour }) =>
      path(
        'M0 0Q9 -15 28 -7Q14 9 0 0Z',
        `fill="${colour}" transform="translate(${n(x)} ${n(y)}) rotate(${turn}) scale(${large.toFixed(2)}) translate(-12 4)"`
      )
    );
}

/** A painted jungle: trodden cells in the green. */
function painted(name, look) {
  const id = `${GAME}-${name}`;
  return picture(GAME, [
    '<defs>',
    shared(id, look),
    blur(`${id}-worn`, 5),
    noise(`${id}-moss`, {
      colour: look.moss,
      across: 0.03,
      down: 0.03,
      octaves: 3,
      seed: 5,
      strength: 2.6,
      base: -1.1
    }),
    noise(`${id}-blades`, {
      colour: look.blade,
      across: 0.25,
      down: 0.08,
      octaves: 2,
      seed: 8,
      strength: 2.4,
      base: -1.1
    }),
    '</defs>',
    frame(GAME, id, {
      outer: look.outer,
      ground: look.ground,
      texture: (shape) => [
        shape(`filter="url(#${id}-moss)" opacity="0.5"`),
        shape(`filter="url(#${id}-blades)" opacity="0.35"`)
      ],
      light: look.light,
      dark: look.dark
    }),
    leaves(look.leaves, 3),
    group(
      `fill="${look.path}" fill-opacity="${look.worn}" filter="url(#${id}-worn)"`,
      LAND.map(({ x, y }) => rect(x - 39, y - 39, 78, 78, 'rx="20"'))
    ),
    path(
      LAND.map(
        ({ x, y }) =>
          `M${x - 47} ${y - 33}v-14h14M${x + 33} ${y - 47}h14v14M${x + 47} ${y + 33}v14h-14M${x - 33} ${y + 47}h-14v-14`
      ).join(''),
      `fill="none" stroke="${look.line}" stroke-width="2" stroke-opacity="0.55" stroke-linecap="round"`
    ),
    lakes(id, look),
    places(TRAPS, id, 'trap'),
    places(DENS, id, 'den'),
    look.over?.() ?? []
  ]);
}

const cells = (more) => {
  const lines = [];
  for (let x = LEFT; x <= LEFT + 700; x += 100) lines.push(`M${x} ${TOP}V${TOP + 900}`);
  for (let y = TOP; y <= TOP + 900; y += 100) lines.push(`M${LEFT} ${y}H${LEFT + 700}`);
  return path(lines.join(''), `fill="none" ${more}`);
};

/** A map, printed on paper. */
function map() {
  const id = `${GAME}-map`;
  const look = {
    deep: '#a9d0dc',
    shallow: '#cfe6ea',
    sand: '#7f9aa0',
    waterLine: '#3c6b7a',
    wave: '#5d93a3',
    reed: '#5f7a48',
    cattail: '#7a5230',
    pit: '#efe2c0',
    rope: '#8a6234',
    knot: '#c9ab74',
    leaf: '#8fa467',
    rock: '#c8bda6',
    rockLit: '#efe8d8',
    rockEdge: '#4d4335',
    hole: '#40362b',
    denInk: '#fbf3dd'
  };
  // The scale runs along the rim: further in stand the coordinates.
  const ticks = (horizontal) =>
    Array.from({ length: horizontal ? 14 : 18 }, (_, index) => {
      if (index % 2 === 1) return '';
      const far = (horizontal ? LEFT : TOP) + index * 50;
      return horizontal ? `M${far} 4h50M${far} ${HEIGHT - 4}h50` : `M4 ${far}v50M${WIDTH - 4} ${far}v50`;
    }).join('');
  const trees = random(31);
  return picture(GAME, [
    '<defs>',
    shared(id, look),
    noise(`${id}-fibres`, {
      colour: '#a08a58',
      across: 0.4,
      down: 0.2,
      octaves: 3,
      seed: 12,
      strength: 1.6,
      base: -0.75
    }),
    noise(`${id}-age`, { colour: '#a9c08a', across: 0.004, down: 0.005, octaves: 2, seed: 4, strength: 3, base: -1.2 }),
    '</defs>',
    frame(GAME, id, {
      outer: ['#efe3c6', '#dccba4'],
      ground: ['#f8f1dd', '#efe5c9'],
      texture: (shape, where) => [
        where === 'ground' ? shape(`filter="url(#${id}-age)" opacity="0.7"`) : '',
        shape(`filter="url(#${id}-fibres)" opacity="0.4"`)
      ],
      light: 0.3,
      dark: 0.12
    }),
    path(ticks(true) + ticks(false), 'stroke="#5a4b33" stroke-width="5"'),
    cells('stroke="#8b7650" stroke-width="1.8"'),
    group(
      'fill="none" stroke="#7d9160" stroke-width="2" stroke-linejoin="round"',
      LAND.filter(() => trees() < 0.5).map(({ x, y }) =>
        path(
          `M${n(x - 30 + trees() * 12)} ${n(y + 34)}v-8l-7 0l7 -11l7 11l-7 0m16 10v-6l-5 0l5 -8l5 8l-5 0`,
          'stroke-opacity="0.75"'
        )
      )
    ),
    lakes(id, look),
    places(TRAPS, id, 'trap'),
    places(DENS, id, 'den')
  ]);
}

/** A carving in one piece of wood. */
function carving() {
  const id = `${GAME}-carving`;
  const look = {
    // Stained: lakes of bare wood are not seen as water.
    deep: '#2f5f6c',
    shallow: '#5b8a90',
    sand: '#6d4420',
    waterLine: '#f0e2bf',
    wave: '#e6e8cf',
    reed: '#5d3a1a',
    cattail: '#4a2c12',
    pit: '#9a6a38',
    rope: '#e9c88f',
    knot: '#5a3717',
    leaf: '#c3924f',
    rock: '#b98247',
    rockLit: '#dcae70',
    rockEdge: '#54330f',
    hole: '#3d230c',
    denInk: '#f3d9a8'
  };
  return picture(GAME, [
    '<defs>',
    shared(id, look),
    wood(id, '#6e4218', '#ffe0a8', 18),
    '</defs>',
    frame(GAME, id, {
      outer: ['#7d4f26', '#563214'],
      ground: ['#d5a768', '#c08d4d'],
      texture: (shape) => wooden(id, shape, 0.9)
    }),
    group('transform="translate(1.5 1.8)" opacity="0.6"', cells('stroke="#f6dca9" stroke-width="3"')),
    cells('stroke="#5f3a17" stroke-width="3"'),
    lakes(id, look),
    places(TRAPS, id, 'trap'),
    places(DENS, id, 'den')
  ]);
}

/** Felt, with seams. */
function felt() {
  const id = `${GAME}-felt`;
  const look = {
    deep: '#3f82a8',
    shallow: '#5d9cbd',
    sand: '#e7dcb6',
    waterLine: '#e9f5fa',
    wave: '#cfe8f2',
    reed: '#2f5a37',
    cattail: '#7b4a26',
    pit: '#8a5a3c',
    rope: '#efd9ac',
    knot: '#5e3a24',
    leaf: '#f0c45a',
    rock: '#8d8a92',
    rockLit: '#b5b2ba',
    rockEdge: '#4b4952',
    hole: '#33313a',
    denInk: '#f6ecd2'
  };
  const pieces = LAND.map(({ x, y }, index) =>
    rect(x - 46, y - 46, 92, 92, `rx="12" fill-opacity="${index % 2 === 0 ? 0.16 : 0.07}"`)
  );
  return picture(GAME, [
    '<defs>',
    shared(id, look),
    noise(`${id}-fluff`, { colour: '#0f3a2c', across: 0.5, down: 0.5, octaves: 3, seed: 2, strength: 2.2, base: -1 }),
    noise(`${id}-wisps`, {
      colour: '#d6f0dc',
      across: 0.05,
      down: 0.12,
      octaves: 3,
      seed: 6,
      strength: 2.2,
      base: -1.2
    }),
    '</defs>',
    frame(GAME, id, {
      outer: ['#8b3e3a', '#6b2b2a'],
      ground: ['#4f9b7c', '#3f8669'],
      texture: (shape) => [
        shape(`filter="url(#${id}-fluff)" opacity="0.35"`),
        shape(`filter="url(#${id}-wisps)" opacity="0.3"`)
      ],
      light: 0.2,
      dark: 0.35
    }),
    group('fill="#eaf7dc" stroke="#eaf7dc" stroke-opacity="0.6" stroke-width="2" stroke-dasharray="8 6"', pieces),
    lakes(id, look),
    places(TRAPS, id, 'trap'),
    places(DENS, id, 'den'),
    rect(
      10,
      10,
      WIDTH - 20,
      HEIGHT - 20,
      'rx="10" fill="none" stroke="#f1d9b8" stroke-opacity="0.6" stroke-width="2" stroke-dasharray="9 7"'
    )
  ]);
}

function fireflies() {
  const draw = random(77);
  return Array.from({ length: 16 }, () => {
    const [x, y] = [INSET + draw() * (WIDTH - 2 * INSET), INSET + draw() * (HEIGHT - 2 * INSET)];
    return [circle(x, y, 8, 'fill="#f3f29a" fill-opacity="0.18"'), circle(x, y, 2.4, 'fill="#fbfac0"')];
  });
}

/** The boards by their names. */
export const boards = {
  jungle: () =>
    painted('jungle', {
      outer: ['#3f5a2a', '#2a401c'],
      ground: ['#8fb25f', '#76994b'],
      moss: '#3d6325',
      blade: '#c9dc8c',
      light: 0.2,
      dark: 0.45,
      leaves: ['#5d8a35', '#49752a', '#7aa548', '#33591f'],
      path: '#e2d3a0',
      worn: 0.75,
      line: '#4c6427',
      deep: '#2f7fa0',
      shallow: '#7cc0cc',
      sand: '#ecdca6',
      waterLine: '#eafaff',
      wave: '#d5f0f5',
      reed: '#3c6a2a',
      cattail: '#6e4524',
      pit: '#6b4d2c',
      rope: '#ecd39a',
      knot: '#3f2b14',
      leaf: '#6f9a3d',
      rock: '#8b857b',
      rockLit: '#b9b3a6',
      rockEdge: '#443f37',
      hole: '#241f1a',
      denInk: '#f2e4c0'
    }),
  night: () =>
    painted('night', {
      outer: ['#14261f', '#0b1713'],
      ground: ['#244438', '#18332b'],
      moss: '#081914',
      blade: '#4f7d62',
      light: 0.12,
      dark: 0.6,
      leaves: ['#1f4030', '#2a5540', '#173024'],
      path: '#6f8a78',
      worn: 0.5,
      line: '#8fb39c',
      deep: '#0f2f4d',
      shallow: '#2a5f82',
      sand: '#58716a',
      waterLine: '#b9dcf0',
      wave: '#8fc0dc',
      reed: '#3d6b50',
      cattail: '#7a5c3c',
      pit: '#10201a',
      rope: '#b7a57a',
      knot: '#0a1410',
      leaf: '#3d7050',
      rock: '#4b5558',
      rockLit: '#75838a',
      rockEdge: '#161c1e',
      hole: '#080c0d',
      denInk: '#e8dcb8',
      over: fireflies
    }),
  map,
  carving,
  felt
};
