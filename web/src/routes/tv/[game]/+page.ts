import { error } from '@sveltejs/kit';
import { need } from '$lib/i18n/index.svelte';
import type { PageLoad } from './$types';
import { isGame } from '$lib/game/rulesets';

export const load: PageLoad = async ({ params }) => {
  if (!isGame(params.game)) error(404);
  await need('watch', 'lobby', 'game', 'people', 'board');
};
