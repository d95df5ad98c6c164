/**
 * Round pieces: a shadow, a rim in two tones and a face that the light falls on from the left above. What has the colour of a side is
 * `currentColor`, so that a rule set can give its sides other colours.
 */
import { downwards, path, radial } from './svg.mjs';

/** Discs take 92 % of the distance between two points. */
const RADIUS = 46;

/** The shadow below a disc: dark where it touches the board, soft around it, and never beyond its own square. */
const shadow = (id) =>
  radial(`${id}-shadow`, '', [
    [0.88, '#1c0e00', 0.62],
    [0.94, '#1c0e00', 0.34],
    [1, '#1c0e00', 0]
  ]);

/** The gradients of discs of a material. */
export function material(id, { face, rim }) {
  return [shadow(id), radial(`${id}-face`, 'cx=".36" cy=".3" r=".85"', face), downwards(`${id}-rim`, rim)];
}

/** Light wood with a darker rim. */
export const WOOD = {
  face: [
    [0, '#fff3d6'],
    [0.55, '#f3d9a4'],
    [1, '#d9b06c']
  ],
  rim: [
    [0, '#e8c384'],
    [0.45, '#b98546'],
    [1, '#6e4520']
  ]
};

/** A disc of a material. */
export const disc = (id, edge) =>
  `<ellipse cx="1" cy="2.5" rx="49" ry="47.5" fill="url(#${id}-shadow)"/>` +
  `<circle r="${RADIUS}" fill="url(#${id}-rim)"/>` +
  `<circle cy="-1.2" r="${RADIUS - 3.4}" fill="url(#${id}-face)" ${edge}/>`;

/** A disc in the colour of its side, with light and shade on it. */
export const colouredDisc = (id, edge) =>
  `<ellipse cx="1" cy="2.5" rx="49" ry="47.5" fill="url(#${id}-shadow)"/>` +
  `<circle r="${RADIUS}" fill="currentColor"/><circle r="${RADIUS}" fill="url(#${id}-rim)"/>` +
  `<circle cy="-1" r="${RADIUS - 4}" fill="url(#${id}-face)" ${edge}/>`;

/** The gradients of discs in the colours of their sides. */
export const coloured = (id) => [
  shadow(id),
  radial(`${id}-face`, 'cx=".36" cy=".28" r=".9"', [
    [0, '#fff', 0.3],
    [0.5, '#fff', 0.06],
    [1, '#000', 0.2]
  ]),
  downwards(`${id}-rim`, [
    [0, '#fff', 0.28],
    [0.5, '#000', 0.06],
    [1, '#000', 0.5]
  ])
];

/** A cut into the face: dark at its upper edge, light at its lower one. */
export const engraved = (d, ink, depth = 1, stroke = 0) => {
  const width = stroke ? ` stroke-width="${stroke}" stroke-linejoin="round"` : '';
  const lined = (colour) => (stroke ? ` stroke="${colour}"` : '');
  return (
    path(d, `transform="translate(.4 ${depth})" fill="#fff" opacity=".75"${lined('#fff')}${width}`) +
    path(d, `transform="translate(-.3 ${-0.8 * depth})" fill="#2a0d00" opacity=".75"${lined('#2a0d00')}${width}`) +
    path(d, `fill="${ink}"${lined(ink)}${width}`)
  );
};

/** A ring cut into the face. */
export const groove = (radius, width, ink) =>
  `<circle cy="-.2" r="${radius}" fill="none" stroke="#fff" stroke-opacity=".7" stroke-width="${width}"/>` +
  `<circle cy="-1.2" r="${radius}" fill="none" stroke="${ink}" stroke-width="${width}"/>`;
