/** What can be said of a form's fields before they are sent. The server has the last word, and knows more. */
import type { MessageKey } from '$lib/i18n/spaces';
import { LIMITS } from '$lib/protocol/protocol';

/** The fewest and most characters of an account's name. */
export const NAME_CHARACTERS = { least: 3, most: 20 } as const;

const bytes = (text: string): number => new TextEncoder().encode(text).length;
const characters = (text: string): number => [...text.normalize('NFC')].length;

/** What is wrong with a name for a new account; null if nothing is to be seen. */
export function nameFault(name: string): MessageKey | null {
  const count = characters(name);
  if (count === 0) return 'account.name_missing';
  if (count < NAME_CHARACTERS.least || count > NAME_CHARACTERS.most) return 'account.name_length';
  if (!/^[\p{L}\p{M}\p{N}_-]+$/u.test(name)) return 'account.name_letters';
  if (/^[_-]|[_-]$|[_-]{2}/.test(name)) return 'account.name_dashes';
  return null;
}

/** What is wrong with a new password. */
export function passwordFault(password: string, name = ''): MessageKey | null {
  const count = bytes(password);
  if (count < LIMITS.PASSWORD_BYTES_LEAST) return 'account.password_short';
  if (count > LIMITS.PASSWORD_BYTES) return 'account.password_long';
  if (name !== '' && password.toLowerCase() === name.toLowerCase()) return 'account.password_is_name';
  return null;
}

/** What is wrong with a text of `least` to `most` characters; the ends do not count. */
export function textFault(text: string, most: number, least = 1): MessageKey | null {
  const count = characters(text.trim());
  if (count < least) return 'account.text_missing';
  return count > most ? 'account.text_long' : null;
}

/** What is wrong with the days for which a token is given; nothing at all means for good. */
export function daysFault(days: number | null | undefined): MessageKey | null {
  if (days === null || days === undefined) return null;
  return Number.isInteger(days) && days >= 1 && days <= LIMITS.TOKEN_DAYS ? null : 'account.days_range';
}

/** A game's id out of what a moderator has pasted: the id itself, or an address of a page that shows the game. */
export function gameIdIn(text: string): string | null {
  return /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.exec(text)?.[0].toLowerCase() ?? null;
}
