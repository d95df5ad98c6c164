/** What a game on one's own terms is asked for with. */
import type { AskSeek, CreateGame } from '$lib/protocol/protocol';

/** For whom a game is, and on which terms. */
export type Terms =
  | { purpose: 'computer' | 'friend' | 'challenge'; data: Omit<CreateGame, 'command'> }
  | { purpose: 'seek'; data: Omit<AskSeek, 'command'> };
