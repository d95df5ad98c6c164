/** What a review asks of the server. */
import { api } from '$lib/protocol/http';
import type { ReviewPort } from './review.svelte';

export const reviewPort: ReviewPort = {
  begin: (game, signal) => api.beginReview(game, signal),
  follow: (game, after, signal) => api.review(game, after, signal),
  attempt: (game, ply, move, signal) => api.tryMove(game, ply, move, signal),
  async legal(view, plies, signal) {
    const { ruleset, options } = view;
    const revealed = view.setup?.revealed;
    const setups = revealed ? { first: revealed.first.setup, second: revealed.second.setup } : undefined;
    const moves = view.moves.slice(0, plies).map((played) => played.move);
    const asked = { ruleset, options, moves, ...(setups ? { setups } : {}) };
    return (await api.judge(asked, signal)).legal;
  }
};
