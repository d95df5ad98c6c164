/** Which colour is drawn with, by the keys that are held. */
import type { ShapeColour } from './tree';

interface Keys {
  shiftKey: boolean;
  altKey: boolean;
  ctrlKey: boolean;
}

/** Shift or Ctrl draw in red, Alt in blue, both in yellow; without a key the chosen colour counts. */
export function colourBy({ shiftKey, altKey, ctrlKey }: Keys, chosen: ShapeColour): ShapeColour {
  const isRed = shiftKey || ctrlKey;
  if (isRed && altKey) return 'yellow';
  if (isRed) return 'red';
  return altKey ? 'blue' : chosen;
}
