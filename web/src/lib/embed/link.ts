/** The connection of a frame: nobody's, even where a player is signed in, and as little seen as a small board in a list. */
import { Connection } from '$lib/protocol/connection';
import { browser } from '$lib/protocol/environment';

/** A connection without an identity. */
export function anonymous(): Connection {
  return new Connection(browser('/api/ws?as=nobody'));
}
