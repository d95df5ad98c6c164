/** The curve of the winning chances in a game, on paper of 100 by 100. */

/** Points that follow each other without a gap. */
type Stretch = { x: number; y: number }[];

/** Where a ply lies across the paper. */
export function across(ply: number, last: number): number {
  return last === 0 ? 50 : (ply / last) * 100;
}

/** The ply at a share of the width, 0 to 1. */
export function plyAcross(share: number, last: number): number {
  return Math.min(last, Math.max(0, Math.round(share * last)));
}

/** The chances of the first seat, in thousandths, as stretches: the first seat's wins are at the top. */
function stretches(chances: readonly (number | null)[]): Stretch[] {
  const all: Stretch[] = [];
  let open: Stretch | null = null;
  chances.forEach((chance, ply) => {
    if (chance === null) {
      open = null;
      return;
    }
    if (open === null) all.push((open = []));
    open.push({ x: across(ply, chances.length - 1), y: 100 - chance / 10 });
  });
  return all;
}

const at = ({ x, y }: { x: number; y: number }) => `${x.toFixed(2)} ${y.toFixed(2)}`;

/** The curve as an SVG path. */
export function curve(chances: readonly (number | null)[]): string {
  return stretches(chances)
    .map((points) => `M${points.map(at).join('L')}`)
    .join('');
}

/** What lies between the curve and the bottom, as an SVG path. */
export function area(chances: readonly (number | null)[]): string {
  return stretches(chances)
    .map((points) => {
      const [first, last] = [points[0], points.at(-1)];
      return first && last ? `M${first.x.toFixed(2)} 100L${points.map(at).join('L')}L${last.x.toFixed(2)} 100Z` : '';
    })
    .join('');
}
