/**
 * The eight animals of Dou Shou Qi as heads that look at the player: each an outline with patches on it, in a hue of its own, on a
 * square of about 76 units around the origin. All are built alike (see `head`), so that they look like one family.
 */
import { both, closed, path } from './svg.mjs';

const INK = '#2b1a12';
const CREAM = '#fff6e0';

/** Eyes on both sides: white, iris, and a spark of light. */
const eyes = (x, y, { iris = INK, size = 3.6, slit = false } = {}) =>
  [-x, x]
    .map(
      (at) =>
        `<ellipse cx="${at}" cy="${y}" rx="${size}" ry="${size * 1.12}" fill="${iris}"/>` +
        (slit ? `<ellipse cx="${at}" cy="${y}" rx="${size * 0.32}" ry="${size * 0.95}" fill="${INK}"/>` : '') +
        `<circle cx="${at - size * 0.3}" cy="${y - size * 0.4}" r="${size * 0.33}" fill="#fff"/>`
    )
    .join('');

/** The nose, and the mouth below it. */
const snout = (y, width, nose = INK) =>
  path(
    `M${-width} ${y}Q0 ${y - width * 0.7} ${width} ${y}Q${width * 0.9} ${y + width * 0.9} 0 ${y + width * 1.15}Q${-width * 0.9} ${y + width * 0.9} ${-width} ${y}Z`,
    `fill="${nose}"`
  ) +
  path(
    `M0 ${y + width}V${y + width + 2.6}M${-width * 1.5} ${y + width + 4}Q${-width * 0.5} ${y + width + 6.4} 0 ${y + width + 2.6}Q${width * 0.5} ${y + width + 6.4} ${width * 1.5} ${y + width + 4}`,
    `fill="none" stroke="${INK}" stroke-width="1.8" stroke-linecap="round"`
  );

/** Outlines with a light border that sets them off from any disc, and a dark one; then what lies on them. */
const head = (outlines, patches) =>
  path(
    outlines.map(([d]) => d).join(' '),
    `fill="${CREAM}" stroke="${CREAM}" stroke-width="7" stroke-linejoin="round"`
  ) +
  outlines
    .map(([d, fill]) => path(d, `fill="${fill}" stroke="${INK}" stroke-width="2.2" stroke-linejoin="round"`))
    .join('') +
  patches;

const circle = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
const oval = (x, y, rx, ry) => `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0Z`;

/** A ring of tufts. */
function tufts(count, inner, outer, turn) {
  let d = '';
  for (let index = 0; index <= count; index += 1) {
    const at = turn + (index / count) * 2 * Math.PI;
    const tip = at - Math.PI / count;
    const [x, y] = [Math.sin(at) * inner, -Math.cos(at) * inner];
    const [tx, ty] = [Math.sin(tip) * outer, -Math.cos(tip) * outer];
    d +=
      index === 0
        ? `M${x.toFixed(1)} ${y.toFixed(1)}`
        : `Q${tx.toFixed(1)} ${ty.toFixed(1)} ${x.toFixed(1)} ${y.toFixed(1)}`;
  }
  return `${d}Z`;
}

const elephant = head(
  [
    [both('M-13 -22C-22 -34 -41 -29 -41 -8C-41 10 -30 20 -19 13C-13 8 -12 -4 -13 -22Z'), '#7d93b8'],
    [
      'M0 -31C13 -31 20 -22 19 -9C18 1 12 5 10.5 12C9 20 10 25 14 26C17 27 19 23 22 24C26 26 24 34 14 35C3 36 -3 28 -6 19C-8 11 -9 8 -11 4C-15 1 -18 -2 -19 -9C-20 -22 -13 -31 0 -31Z',
      '#9db1d1'
    ]
  ],
  path(
    both('M-19 -21C-27 -26 -35 -20 -35 -8C-35 4 -28 11 -22 8C-19 -1 -19 -12 -19 -21Z'),
    'fill="#d99aa5" opacity=".8"'
  ) +
    path(
      'M-12 6C-17 14 -16 23 -9 28C-8 22 -7 17 -7 13Z M12.5 4C18 11 20 16 16 22C11.5 20 10 14 11 7Z',
      `fill="#fff" stroke="${INK}" stroke-width="1.6" stroke-linejoin="round"`
    ) +
    path(
      'M-4 9Q2 12 9 9M-3 15.5Q3 18.5 8.5 15.5M0 22Q5 24 9 21',
      'fill="none" stroke="#5b7095" stroke-width="1.8" stroke-linecap="round"'
    ) +
    path('M-8 -23Q0 -27 8 -23', 'fill="none" stroke="#5b7095" stroke-width="1.8" stroke-linecap="round"') +
    eyes(9.5, -8, { size: 3.2 })
);

const lion = head(
  [
    [tufts(13, 31, 43, 0.12), '#8a3f12'],
    [tufts(13, 26, 33, 0.36), '#b5611c'],
    [both(circle(-18, -20, 7)), '#f3b63a'],
    [
      closed(
        [0, -24],
        [
          [14, -24, 22, -16, 22, -4],
          [22, 6, 18, 11, 15, 17],
          [11, 24, 6, 27, 0, 27]
        ]
      ),
      '#f8c64c'
    ]
  ],
  path(both(circle(-18.5, -20, 3)), 'fill="#8a3f12"') +
    path(both('M-15 -13Q-9 -17 -4 -12'), `fill="none" stroke="#a9701a" stroke-width="2" stroke-linecap="round"`) +
    path('M-5 -8L-4 6H4L5 -8Q0 -12 -5 -8Z', 'fill="#fbdc86"') +
    path(`${oval(-6, 14, 8.5, 7)}${oval(6, 14, 8.5, 7)}${oval(0, 21, 6, 5)}`, 'fill="#fff4d6"') +
    eyes(10, -5, { size: 3.6 }) +
    snout(6.5, 5.5, '#6a2a12')
);

const tiger = head(
  [
    [both(circle(-24, -24, 9)), '#f0801c'],
    [
      closed(
        [0, -32],
        [
          [20, -32, 32, -20, 32, -2],
          [38, 4, 37, 12, 31, 15],
          [25, 27, 12, 32, 0, 32]
        ]
      ),
      '#f58a1f'
    ]
  ],
  path(both(circle(-24.5, -24.5, 4.5)), `fill="${INK}"`) +
    path(
      both('M-32 4C-24 2 -14 8 -9 14C-6 22 -4 29 0 32C-12 32 -25 27 -31 15C-35 13 -36 8 -32 4Z'),
      `fill="${CREAM}"`
    ) +
    path(both('M-20 -10Q-11 -20 -5 -8Q-10 -2 -17 -3Z'), `fill="${CREAM}"`) +
    path('M-8 -30H8L6 -26.5H-6ZM-10 -23.5H10L7 -20H-7ZM-7 -17H7L4 -13.5H-4ZM-1.8 -30H1.8V-14H-1.8Z', `fill="${INK}"`) +
    path(
      both(
        'M-29 -14Q-22 -14 -18 -18Q-20 -10 -31.5 -8ZM-32.5 -2Q-24 -1 -20 2Q-26 5 -35 3ZM-34 12Q-26 9 -21 10Q-24 16 -29.5 19ZM-23 27Q-19 19 -15 17Q-15 24 -18 29Z'
      ),
      `fill="${INK}"`
    ) +
    eyes(11.5, -4, { iris: INK, size: 3.8 }) +
    path('M-6 -4L-5 8H5L6 -4Q0 -8 -6 -4Z', 'fill="#f8a54a"') +
    path(`${oval(-7, 18, 9, 7)}${oval(7, 18, 9, 7)}${oval(0, 26, 9, 6)}`, 'fill="#fff"') +
    snout(9.5, 6, '#c2485a')
);

const leopard = head(
  [
    [both(circle(-22, -23, 7.5)), '#e3b23c'],
    [
      closed(
        [0, -29],
        [
          [17, -29, 29, -19, 29, -3],
          [29, 8, 25, 15, 19, 22],
          [13, 29, 6, 31, 0, 31]
        ]
      ),
      '#f6d365'
    ]
  ],
  path(both(circle(-22, -23, 3.3)), `fill="${INK}"`) +
    path(both('M-18 12C-12 8 -6 10 0 12V31C-7 31 -13 29 -19 22Z'), `fill="${CREAM}"`) +
    path(
      `${both(circle(-6.5, -22, 2.6))}${circle(0, -15.5, 2.5)}${both(circle(-13, -16, 2.8))}${both(circle(-20.5, -12, 2.6))}${both(circle(-24, -4, 2.7))}${both(circle(-18, 4, 2.6))}${both(circle(-24, 5.5, 2.4))}${both(circle(-21, 13, 2.4))}${both(circle(-6, -14.5, 1.9))}${circle(0, -24.5, 2)}`,
      'fill="#4a2413"'
    ) +
    eyes(10.5, -4.5, { iris: '#5d8a26', size: 4.1, slit: true }) +
    path('M-5 -6L-4.5 8H4.5L5 -6Q0 -9 -5 -6Z', 'fill="#fae39a"') +
    path(
      'M-9 21.5h.01M-12 18.5h.01M9 21.5h.01M12 18.5h.01',
      `stroke="${INK}" stroke-width="1.8" stroke-linecap="round"`
    ) +
    snout(9.5, 5.6, '#4a2413')
);

const wolf = head(
  [
    [both('M-29 -38C-34 -22 -33 -10 -27 -4L-8 -21C-14 -30 -20 -35 -29 -38Z'), '#4d5a68'],
    [
      closed(
        [0, -24],
        [
          [12, -25, 22, -18, 25, -8],
          [27, -2, 33, 2, 37, 5],
          [32, 9, 27, 11, 26, 12],
          [29, 15, 28, 18, 24, 19],
          [16, 20, 12, 27, 9, 32],
          [6, 36, 3, 37, 0, 37]
        ]
      ),
      '#6d7c8c'
    ]
  ],
  path(both('M-26 -31C-28 -21 -27 -14 -24 -10L-14 -19C-18 -25 -21 -29 -26 -31Z'), 'fill="#d9a9a0"') +
    path(
      both(
        'M-36 5C-26 6 -16 0 -12 -5C-8 2 -7 10 -6 16C-5 24 -7 30 -9 32C-12 27 -16 20 -24 19C-28 18 -29 15 -26 12C-27 11 -32 9 -36 5Z'
      ),
      'fill="#eef1f3"'
    ) +
    path('M-7 -23L0 -13L7 -23Q0 -25 -7 -23ZM-4 -10L0 -3L4 -10L0 -12Z', 'fill="#3c4753"') +
    path(
      both('M-19 -5C-14 -10 -9 -8 -6 -2C-11 1 -16 0 -19 -5Z'),
      `fill="#ffc928" stroke="${INK}" stroke-width="1.6" stroke-linejoin="round"`
    ) +
    path(both(circle(-11.5, -4, 2.5)), `fill="${INK}"`) +
    path('M-7.5 21Q0 15.5 7.5 21Q7 28 0 29.5Q-7 28 -7.5 21Z', `fill="${INK}"`) +
    path('M-3 20.5Q0 19 2 20', 'fill="none" stroke="#fff" stroke-width="1.6" stroke-linecap="round" opacity=".8"')
);

const dog = head(
  [
    [
      closed(
        [0, -31],
        [
          [15, -32, 23, -24, 24, -10],
          [25, 2, 23, 8, 20, 16],
          [16, 26, 7, 29, 0, 29]
        ]
      ),
      '#c6813f'
    ],
    [both('M-15 -29C-26 -34 -37 -22 -38 -4C-39 8 -35 18 -29 17C-22 15 -22 -8 -15 -29Z'), '#6b3a1a']
  ],
  path(
    'M-5 -30.5C-3 -18 -7 -6 -13 4C-20 14 -16 24 -8 28Q0 30 8 28C16 24 20 14 13 4C7 -6 3 -18 5 -30.5Q0 -32 -5 -30.5Z',
    `fill="${CREAM}"`
  ) +
    path('M-6.5 19Q0 24 6.5 19V28C6.5 36 -6.5 36 -6.5 28Z', `fill="#ee7187" stroke="${INK}" stroke-width="1.8"`) +
    path('M0 24V29', 'stroke="#c24d66" stroke-width="1.6" stroke-linecap="round"') +
    path(
      'M-11.5 14.5Q-5 21 0 15.5Q5 21 11.5 14.5',
      `fill="none" stroke="${INK}" stroke-width="2" stroke-linecap="round"`
    ) +
    path('M-7.5 5.5Q0 .5 7.5 5.5Q7 12 0 14.5Q-7 12 -7.5 5.5Z', `fill="${INK}"`) +
    path(both('M-15 -16Q-11 -19 -8 -16.5'), 'fill="none" stroke="#6b3a1a" stroke-width="2.4" stroke-linecap="round"') +
    eyes(11, -8, { size: 4.2 })
);

const cat = head(
  [
    [both('M-31 -34C-35 -18 -34 -6 -28 2L-6 -21C-13 -27 -22 -32 -31 -34Z'), '#473a63'],
    [
      closed(
        [0, -23],
        [
          [17, -23, 31, -14, 32, 3],
          [37, 7, 36, 11, 31, 13],
          [25, 26, 12, 30, 0, 30]
        ]
      ),
      '#574878'
    ]
  ],
  path(both('M-27.5 -27C-29.5 -18 -29 -11 -26 -7L-15 -18C-18 -22 -22 -25 -27.5 -27Z'), 'fill="#f0a3b4"') +
    path('M-4 -22.5L0 -11L4 -22.5Q0 -23.5 -4 -22.5ZM-12 -20.5L-8 -12L-7 -22ZM12 -20.5L8 -12L7 -22Z', 'fill="#2f2547"') +
    path(`${oval(-6.5, 17, 8.5, 6.5)}${oval(6.5, 17, 8.5, 6.5)}`, 'fill="#efe6fb"') +
    eyes(13.5, 1, { iris: '#a6e22e', size: 6.2, slit: true }) +
    path('M-4.5 10.5Q0 8 4.5 10.5Q3 14.5 0 15.5Q-3 14.5 -4.5 10.5Z', 'fill="#f48ca2"') +
    path('M-7 20Q-2 22 0 16.5Q2 22 7 20', `fill="none" stroke="${INK}" stroke-width="1.7" stroke-linecap="round"`) +
    path(
      both('M-15 15L-40 11M-15 18.5L-39 21'),
      'fill="none" stroke="#fff6e0" stroke-width="1.8" stroke-linecap="round"'
    )
);

const rat = head(
  [
    [both(circle(-25, -20, 15)), '#a8978e'],
    [
      closed(
        [0, -22],
        [
          [13, -22, 22, -14, 23, -3],
          [24, 8, 15, 14, 10, 23],
          [7, 30, 4, 32, 0, 32]
        ]
      ),
      '#bcaca3'
    ]
  ],
  path(both(circle(-25, -20, 10)), 'fill="#f4a9b4"') +
    path(
      'M-5 27H5V36Q2.5 38 0 36Q-2.5 38 -5 36ZM0 27V36',
      `fill="#fff" stroke="${INK}" stroke-width="1.5" stroke-linejoin="round"`
    ) +
    path(
      both('M-23 -2C-16 2 -10 8 -7 16C-5 22 -3 26 0 27V32C-4 32 -7 30 -10 23C-15 14 -24 8 -23 -2Z'),
      'fill="#dccfc7"'
    ) +
    eyes(10, -3, { size: 4.4 }) +
    path('M-5.5 22Q0 17 5.5 22Q5 27.5 0 28.5Q-5 27.5 -5.5 22Z', 'fill="#ee6f8e"') +
    path(both('M-10 19L-33 13M-10 23L-33 25'), `fill="none" stroke="${INK}" stroke-width="1.6" stroke-linecap="round"`)
);

/** The heads by their letters. */
export const HEADS = { E: elephant, L: lion, T: tiger, P: leopard, W: wolf, D: dog, C: cat, R: rat };
