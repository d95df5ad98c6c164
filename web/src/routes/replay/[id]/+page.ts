import { need } from '$lib/i18n/index.svelte';
import type { PageLoad } from './$types';

export const load: PageLoad = async ({ params }) => {
  await need('replay', 'game', 'board', 'people');
  return { id: params.id };
};
