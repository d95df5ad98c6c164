import { need } from '$lib/i18n/index.svelte';
import type { PageLoad } from './$types';

export const load: PageLoad = async ({ params }) => {
  await need('analysis', 'openings', 'board', 'game', 'lobby');
  return { id: params.id };
};
