/** What players are called. */
import { t } from '$lib/i18n/index.svelte';
import type { Player } from '$lib/protocol/protocol';

/** The name to show: a player's own, and a computer's in the reader's language; `nobody` where there is no player. */
export function playerName(player: Pick<Player, 'name' | 'computer'> | null | undefined, nobody = ''): string {
  if (!player) return nobody;
  return player.computer === undefined ? player.name : t('common.computer', { level: player.computer });
}

/** Whether this is a computer of the server: it has no page, does not chat, and is never away. */
export function isComputer(player: Partial<Player> | null | undefined): boolean {
  return player?.computer !== undefined;
}
