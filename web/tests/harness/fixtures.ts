/** A server with something going on in it, made over HTTP, so that no page is looked at while it is empty. */
import type { Program } from './program';
import type { Visitor } from './visitor';
import type { WholeGame } from './games';

/** Sends a command to a game. */
export async function commands(visitor: Visitor, game: string, type: string, data: object = {}): Promise<void> {
  const command = crypto.randomUUID();
  await visitor.asks('POST', `/api/games/${game}/commands`, { type, data: { game, command, ...data } });
}

/** Opens a game, seats both, and plays these moves. */
export async function playsOut(
  first: Visitor,
  second: Visitor,
  whole: Pick<WholeGame, 'ruleset' | 'moves' | 'setups'>,
  more: Readonly<Record<string, unknown>> = {}
): Promise<string> {
  const game = await first.opens({ ruleset: whole.ruleset, ...more });
  await commands(second, game, 'join');
  if (whole.setups) {
    await first.asks('PUT', `/api/games/${game}/setup`, { setup: whole.setups.first });
    await second.asks('PUT', `/api/games/${game}/setup`, { setup: whole.setups.second });
    await commands(first, game, 'ready');
    await commands(second, game, 'ready');
  }
  for (const [index, move] of whole.moves.entries()) {
    await commands(index % 2 === 0 ? first : second, game, 'move', { ply: index + 1, move });
  }
  return game;
}

/** The password of every account that is opened here. */
export const PASSWORD = 'a rather long password';

/** Opens an account for a visitor, whose name is kept apart from those of other tests by a number. */
export async function registers(visitor: Visitor, name: string): Promise<string> {
  const unique = `${name}${Math.floor(Math.random() * 1e9).toString(36)}`.slice(0, 20);
  await visitor.becomesGuest();
  await visitor.asks('POST', '/api/register', { name: unique, password: PASSWORD });
  return unique;
}

/** Opens a moderator's account. */
export async function isStaff(program: Program, visitor: Visitor, role: 'moderator' | 'admin'): Promise<string> {
  const name = await registers(visitor, role);
  await program.runs(['admin', 'role', name, role]);
  // Another role ends all sessions.
  await visitor.asks('POST', '/api/login', { name, password: PASSWORD });
  return name;
}
