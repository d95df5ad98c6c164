/** The marks that begin and end a text whose direction is its own affair. */
const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = [String.fromCodePoint(0x2068), String.fromCodePoint(0x2069)];
/** Marks that would turn around what stands beside them, and those that would end the isolation. */
const MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Somebody else's text, such as a name, so that it can stand inside a sentence without turning it around. Where it stands alone, `<bdi>` does. */
export function isolated(text: string): string {
  return `${FIRST_STRONG_ISOLATE}${text.replace(MARKS, '')}${POP_ISOLATE}`;
}
