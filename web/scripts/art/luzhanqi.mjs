/** The boards of Luzhanqi. */
import { at, circle, frame, group, LAYOUT, n, noise, path, picture, random, rect, size, words } from './drawing.mjs';

const GAME = 'luzhanqi';
const { width: WIDTH, height: HEIGHT } = size(GAME);
const INSET = LAYOUT[GAME].frame;
const FRONT = (at(GAME, 'a6').y + at(GAME, 'a7').y) / 2;

const { camps: CAMPS, railways: RAILWAYS, roads: ROADS } = LAYOUT[GAME];
const HEADQUARTERS = 'b1 d1 b12 d12'.split(' ');

function ways(pairs) {
  const ends = pairs.map((pair) => pair.split('-').map((square) => at(GAME, square)));
  return ends.map(([from, to]) => `M${from.x} ${from.y}L${to.x} ${to.y}`).join('');
}

/** From each camp to its four corners. */
const SLANTS = CAMPS.map((camp) => {
  const rank = Number(camp.slice(1));
  const file = camp.charCodeAt(0);
  const corner = (across, up) => at(GAME, `${String.fromCharCode(file + across)}${rank + up}`);
  const [a, b, c, d] = [corner(-1, -1), corner(1, 1), corner(-1, 1), corner(1, -1)];
  return `M${a.x} ${a.y}L${b.x} ${b.y}M${c.x} ${c.y}L${d.x} ${d.y}`;
}).join('');

const STATIONS = Array.from({ length: 60 }, (_, index) => `${'abcde'[index % 5]}${Math.floor(index / 5) + 1}`).filter(
  (square) => !CAMPS.includes(square) && !HEADQUARTERS.includes(square)
);

/** Lines of equal height around a few hills. */
function contours(colour) {
  const draw = random(17);
  const hills = Array.from({ length: 7 }, () => [draw() * WIDTH, draw() * HEIGHT, 90 + draw() * 120]);
  const rings = hills.flatMap(([x, y, large]) => {
    const bumps = Array.from({ length: 9 }, () => 0.75 + draw() * 0.5);
    return [0.25, 0.45, 0.65, 0.85, 1.05].map((part) => {
      const points = bumps.map((bump, index) => {
        const angle = (index / 9) * 2 * Math.PI;
        const far = large * part * (1 + (bump - 1) * part);
        return [x + Math.cos(angle) * far * 1.3, y + Math.sin(angle) * far];
      });
      const middle = (one, other) => [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
      const start = middle(points.at(-1), points[0]);
      const curves = points.map((point, index) => {
        const end = middle(point, points[(index + 1) % 9]);
        return `Q${point.map(Math.round).join(' ')} ${end.map(Math.round).join(' ')}`;
      });
      return `M${start.map(Math.round).join(' ')}${curves.join('')}Z`;
    });
  });
  return path(rings.join(''), `fill="none" stroke="${colour}" stroke-width="1.8" stroke-opacity="0.4"`);
}

/** A ring of sandbags with a tent in it; drawn once, used for every camp. */
function camp(id, { bag, bagEdge, camp, campInk: ink }) {
  const bags = Array.from({ length: 13 }, (_, index) =>
    rect(-10.5, -42, 21, 13, `rx="6" transform="rotate(${n((index / 13) * 360)})"`)
  );
  return group(
    `id="${id}-camp"`,
    circle(1.5, 3, 41, 'fill="#000" fill-opacity="0.22"'),
    circle(0, 0, 36, `fill="${camp}"`),
    group(`fill="${bag}" stroke="${bagEdge}" stroke-width="1.6"`, bags),
    words('行营', 0, -7, 25, `class="name" fill="${ink}"`, 1),
    words('CAMP', 0, 13, 15, `class="name" fill="${ink}"`, 0.5)
  );
}

function headquarters(id, { den, denEdge, denInk }) {
  return group(
    `id="${id}-headquarters"`,
    rect(-53, -29, 109, 63, 'rx="8" fill="#000" fill-opacity="0.22"'),
    path(
      'M-55 32V-14L-34 -32H34L55 -14V32Z',
      `fill="${den}" stroke="${denEdge}" stroke-width="3" stroke-linejoin="round"`
    ),
    path('M-45 26V-10L-30 -24H30L45 -10V26Z', `fill="none" stroke="${denInk}" stroke-width="1.2" stroke-opacity="0.6"`),
    words('大本营', 0, -3, 25, `fill="${denInk}"`, 1),
    words('HQ', 0, 19, 15, `class="name" fill="${denInk}"`, 2)
  );
}

/** The front: mountains, and a sign across the railway in the middle. */
function front({ mountain, mountainLit, ink, station, line }) {
  const peak = (square) => {
    const { x } = at(GAME, square);
    const outline = `M${x - 62} ${FRONT + 26}L${x - 26} ${FRONT - 26}L${x - 6} ${FRONT - 2}L${x + 18} ${FRONT - 34}L${x + 62} ${FRONT + 26}Z`;
    const lit = `M${x - 26} ${FRONT - 26}L${x - 6} ${FRONT - 2}L${x - 14} ${FRONT + 26}H${x - 62}ZM${x + 18} ${FRONT - 34}L${x + 10} ${FRONT + 26}H${x - 14}L${x - 6} ${FRONT - 2}Z`;
    return [
      path(outline, `fill="${mountain}" stroke="${line}" stroke-width="2" stroke-linejoin="round"`),
      path(lit, `fill="${mountainLit}" fill-opacity="0.55"`),
      words('山界', x, FRONT, 20, `class="name" fill="${ink}"`, 5),
      words('MOUNTAINS', x, FRONT + 18, 12, `class="name" fill="${ink}"`, 0.5)
    ];
  };
  const { x } = at(GAME, 'c6');
  return [
    peak('b6'),
    peak('d6'),
    rect(x - 50, FRONT - 25, 100, 50, `rx="6" fill="${station}" stroke="${line}" stroke-width="2"`),
    words('前线', x, FRONT - 7, 24, `fill="${ink}"`, 6),
    words('FRONT LINE', x, FRONT + 14, 13, `class="name" fill="${ink}"`, 0.5)
  ];
}

function board(name, look) {
  const id = `${GAME}-${name}`;
  const stations = STATIONS.map((square) => at(GAME, square))
    .map(({ x, y }) => `<use href="#${id}-station" x="${x}" y="${y}"/>`)
    .join('');
  const places = (squares, what) =>
    squares.map((square) => at(GAME, square)).map(({ x, y }) => `<use href="#${id}-${what}" x="${x}" y="${y}"/>`);
  return picture(GAME, [
    '<defs>',
    noise(`${id}-paper`, {
      colour: look.spot,
      across: 0.012,
      down: 0.014,
      octaves: 3,
      seed: look.seed,
      strength: 2,
      base: -0.9
    }),
    noise(`${id}-fibres`, {
      colour: look.spot,
      across: 0.5,
      down: 0.5,
      octaves: 2,
      seed: 2,
      strength: 1.8,
      base: -0.85
    }),
    group(
      `id="${id}-station"`,
      rect(-50, -26, 103, 56, 'rx="8" fill="#000" fill-opacity="0.18"'),
      rect(-52, -28, 104, 56, `rx="8" fill="${look.station}" stroke="${look.line}" stroke-width="2.4"`),
      rect(-46, -22, 92, 44, `rx="4" fill="none" stroke="${look.line}" stroke-width="1" stroke-opacity="0.35"`)
    ),
    camp(id, look),
    headquarters(id, look),
    '</defs>',
    frame(GAME, id, {
      outer: look.outer,
      ground: look.ground,
      texture: (shape) => [
        shape(`filter="url(#${id}-paper)" opacity="${look.mottled}"`),
        shape(`filter="url(#${id}-fibres)" opacity="${look.grainy}"`)
      ],
      light: look.light,
      dark: look.dark
    }),
    group(`clip-path="url(#${id}-inside)"`, look.under(look)),
    path(ways(ROADS) + SLANTS, `stroke="${look.road}" stroke-width="3" stroke-linecap="round"`),
    path(ways(RAILWAYS), `fill="none" stroke="${look.rail}" stroke-width="15" stroke-linecap="square"`),
    path(ways(RAILWAYS), `fill="none" stroke="${look.sleeper}" stroke-width="9" stroke-dasharray="15 13"`),
    front(look),
    stations,
    places(HEADQUARTERS, 'headquarters'),
    places(CAMPS, 'camp')
  ]);
}

/** Thin squares all over, as on maps and plans. */
function squared(colour, every, strength) {
  const lines = [];
  for (let x = INSET + every; x < WIDTH - INSET; x += every) lines.push(`M${x} ${INSET}V${HEIGHT - INSET}`);
  for (let y = INSET + every; y < HEIGHT - INSET; y += every) lines.push(`M${INSET} ${y}H${WIDTH - INSET}`);
  return path(lines.join(''), `stroke="${colour}" stroke-width="1" stroke-opacity="${strength}"`);
}

/** Blots of camouflage. */
function camouflage(colours) {
  const draw = random(5);
  return Array.from({ length: 26 }, (_, index) => {
    const [x, y] = [INSET + draw() * (WIDTH - 2 * INSET), INSET + draw() * (HEIGHT - 2 * INSET)];
    const [wide, high] = [50 + draw() * 70, 30 + draw() * 40];
    const bend = () => n((draw() - 0.5) * 50);
    const d =
      `M${n(x - wide)} ${n(y)}q${bend()} ${n(-high)} ${n(wide)} ${n(-high)}t${n(wide)} ${n(high * 0.8)}` +
      `q${bend()} ${n(high)} ${n(-wide)} ${n(high * 0.9)}t${n(-wide)} ${n(-high * 0.7)}z`;
    return path(d, `fill="${colours[index % colours.length]}" fill-opacity="0.45"`);
  });
}

/** What each board is made of. `under` lies below the roads. */
const LOOKS = {
  field: {
    outer: ['#6a5a36', '#493d22'],
    ground: ['#d5c391', '#c3ae77'],
    spot: '#7d6a38',
    seed: 6,
    mottled: 0.4,
    grainy: 0.22,
    light: 0.25,
    dark: 0.4,
    contour: '#8a6d33',
    under: (look) => [squared(look.contour, 84, 0.25), contours(look.contour)],
    road: '#5d4a26',
    rail: '#372c18',
    sleeper: '#f4e6bd',
    station: '#f3e4b6',
    line: '#5d4a26',
    camp: '#aab57e',
    bag: '#d9c592',
    bagEdge: '#7b6636',
    ink: '#3a2f15',
    campInk: '#2a230f',
    den: '#7c3b2a',
    denEdge: '#4d2117',
    denInk: '#fbe9c4',
    mountain: '#a08a58',
    mountainLit: '#dcc890'
  },
  camp: {
    outer: ['#3d4a2c', '#27311c'],
    ground: ['#7f9160', '#6a7d4e'],
    spot: '#3d4c28',
    seed: 14,
    mottled: 0.35,
    grainy: 0.25,
    light: 0.2,
    dark: 0.45,
    under: () => camouflage(['#5a6c3d', '#8f8a58', '#4c5c36']),
    road: '#2c351d',
    rail: '#20271a',
    sleeper: '#e6ebcc',
    station: '#cdd6a6',
    line: '#2f3a1f',
    camp: '#5c6f40',
    bag: '#d3c79b',
    bagEdge: '#5d5532',
    ink: '#20280f',
    campInk: '#f3f5dd',
    den: '#4a3a22',
    denEdge: '#2b2112',
    denInk: '#f6e9c6',
    mountain: '#697354',
    mountainLit: '#aeb88e'
  },
  blueprint: {
    outer: ['#10294a', '#081a31'],
    ground: ['#1b4a80', '#123a69'],
    spot: '#0e2c52',
    seed: 3,
    mottled: 0.3,
    grainy: 0.2,
    light: 0.18,
    dark: 0.4,
    under: () => [squared('#cfe4ff', 21, 0.08), squared('#cfe4ff', 105, 0.22)],
    road: '#bcd8f5',
    rail: '#e6f1fc',
    sleeper: '#1c4778',
    station: '#1d4a7d',
    line: '#cfe3f8',
    camp: '#1d4a7d',
    bag: '#2f6aa6',
    bagEdge: '#cfe3f8',
    ink: '#f1f7fe',
    campInk: '#f1f7fe',
    den: '#123459',
    denEdge: '#e6f1fc',
    denInk: '#f1f7fe',
    mountain: '#1d4a7d',
    mountainLit: '#3c79b6'
  },
  paper: {
    outer: ['#c9b48b', '#ab9468'],
    ground: ['#fbf6e8', '#f2e9d2'],
    spot: '#b49b68',
    seed: 22,
    mottled: 0.3,
    grainy: 0.3,
    light: 0.35,
    dark: 0.22,
    under: () => [],
    road: '#6d6252',
    rail: '#2d2924',
    sleeper: '#fdfaf0',
    station: '#fffdf5',
    line: '#4a4238',
    camp: '#dfe8cc',
    bag: '#f3ead2',
    bagEdge: '#6d6252',
    ink: '#332d25',
    campInk: '#332d25',
    den: '#a9402f',
    denEdge: '#5d2018',
    denInk: '#fff6e6',
    mountain: '#ddd2b8',
    mountainLit: '#f8f2e0'
  },
  dark: {
    outer: ['#1d1f21', '#101112'],
    ground: ['#34373a', '#292c2e'],
    spot: '#0d0e0f',
    seed: 9,
    mottled: 0.5,
    grainy: 0.3,
    light: 0.12,
    dark: 0.55,
    contour: '#a09468',
    under: (look) => group('opacity="0.5"', contours(look.contour)),
    road: '#a79d84',
    rail: '#d3c7a6',
    sleeper: '#26282a',
    station: '#464a4c',
    line: '#b3a888',
    camp: '#3d4a34',
    bag: '#5f5c4c',
    bagEdge: '#b3a888',
    ink: '#f0e8d2',
    campInk: '#f0e8d2',
    den: '#5a2a20',
    denEdge: '#cbb894',
    denInk: '#f7ead0',
    mountain: '#3f4344',
    mountainLit: '#6b6a5e'
  }
};

/** The boards by their names. */
export const boards = Object.fromEntries(Object.entries(LOOKS).map(([name, look]) => [name, () => board(name, look)]));
