import { need } from '$lib/i18n/index.svelte';
import type { PageLoad } from './$types';

export const load: PageLoad = async ({ params }) => {
  await need('replay', 'openings', 'game', 'board', 'people', 'fairness');
  return { id: params.id };
};
