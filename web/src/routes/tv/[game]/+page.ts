import { error } from '@sveltejs/kit';
import { need } from '$lib/i18n/index.svelte';
import { isGame } from '$lib/lobby/choice';
import type { PageLoad } from './$types';

export const load: PageLoad = async ({ params }) => {
  if (!isGame(params.game)) error(404);
  await need('watch', 'lobby', 'game', 'people', 'board');
};
