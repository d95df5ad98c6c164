/**
 * A text as the server takes it for chat and names: one line, without what would turn the direction of the text after it. Signs
 * that hold an emoji together stay.
 */
export function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\s\u2028\u2029]+/gu, ' ')
    .replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim();
}
