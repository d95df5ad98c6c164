/** What others offer to play: seeks on the board, and open games that wait for a second player. */
import type { GameSummary, Me, RatingRange, Seat, Seek } from '$lib/protocol/protocol';
import { other } from '$lib/game/rulesets';
import type { OptionValue, Player, SpectatorDelay, TimeControl } from '$lib/protocol/protocol';

/** An offer that can be taken. */
export interface Offer {
  /** A seek is accepted, a game is joined. */
  kind: 'seek' | 'game';
  id: string;
  player: Player;
  ruleset: string;
  options: { [key in string]: OptionValue };
  time_control: TimeControl;
  rated: boolean;
  /** The seat that is left for the opponent; null if it is drawn. */
  free: Seat | null;
  rating: RatingRange | null;
  /** By how much spectators will see the game later; null if they see it at once, or if that is not known. */
  delay: SpectatorDelay | null;
  since: number;
}

/** Why an offer can't be taken; null if it can. */
export type Hindrance = 'own' | 'account' | 'rating' | null;

/** The rating that everybody begins with. */
const BEGINNING = 1500;

/** The offer that a seek makes. */
export function ofSeek(seek: Seek): Offer {
  const { id, player, ruleset, options, time_control, rated = false, seat, rating = null, since } = seek;
  const delay = seek.spectator_delay ?? null;
  const free = seat === 'random' ? null : other(seat);
  return { kind: 'seek', id, player, ruleset, options, time_control, rated, free, rating, delay, since };
}

/** The offer that an open game makes; null if nobody sits there, nothing is free, or it is meant for somebody. */
export function ofGame(game: GameSummary): Offer | null {
  const { first, second } = game.players;
  const player = first ?? second;
  if (game.status !== 'open' || game.invited || !player || (first && second)) return null;
  return {
    kind: 'game',
    id: game.game,
    player,
    ruleset: game.ruleset,
    options: game.options,
    time_control: game.time_control,
    rated: game.rated ?? false,
    free: first ? 'second' : 'first',
    rating: null,
    delay: null,
    since: game.created_at
  };
}

/** What keeps somebody from an offer; `rating` is their own in its rule set, if there is one. */
export function hindrance(offer: Offer, me: Me | null, rating: number | undefined): Hindrance {
  if (me && offer.player.id === me.id) return 'own';
  const known = me !== null && !me.guest;
  if (!known && (offer.rated || offer.rating)) return 'account';
  const own = rating ?? BEGINNING;
  const { min = own, max = own } = offer.rating ?? {};
  return own < min || own > max ? 'rating' : null;
}

/** Offers in the order in which they are shown: one's own first, then what can be taken, of the chosen game first, the newest first. */
export function inOrder(
  offers: readonly Offer[],
  ruleset: string,
  hinders: (offer: Offer) => Hindrance
): { offer: Offer; hindered: Hindrance }[] {
  const game = ruleset.split('/')[0] ?? '';
  const rank = ({ offer, hindered }: { offer: Offer; hindered: Hindrance }) =>
    (hindered === 'own' ? -8 : hindered ? 8 : 0) +
    (offer.ruleset === ruleset ? 0 : offer.ruleset.startsWith(`${game}/`) ? 1 : 2);
  return offers
    .map((offer) => ({ offer, hindered: hinders(offer) }))
    .sort((a, b) => rank(a) - rank(b) || b.offer.since - a.offer.since);
}
