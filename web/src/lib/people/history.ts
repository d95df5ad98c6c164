/** A rating's history, fetched page by page. */
import { api } from '$lib/protocol/http';
import type { HistoryPoint } from '$lib/protocol/protocol';

/** As many changes as a curve can show. */
const MOST = 300;
const PAGE = 100;

/** The last changes of a player's rating in a rule set, the oldest first. */
export async function ratingHistory(player: string, ruleset: string): Promise<HistoryPoint[]> {
  const changes: HistoryPoint[] = [];
  let before: number | null = null;
  do {
    const query = { ruleset, limit: PAGE };
    const page = await api.ratingChanges(player, before === null ? query : { ...query, before });
    changes.push(...page.changes);
    ({ before } = page);
  } while (before !== null && changes.length < MOST);
  return changes.reverse();
}
