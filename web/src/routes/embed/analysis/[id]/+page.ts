import { need } from '$lib/i18n/index.svelte';
import { lookFor } from '$lib/embed/looks';
import { showOnly } from '$lib/settings.svelte';
import type { PageLoad } from './$types';

export const load: PageLoad = async ({ params, url }) => {
  const look = lookFor(url.searchParams);
  showOnly(look.settings);
  await need('embed', 'analysis', 'game', 'board', 'common');
  return { id: params.id, turned: look.turned };
};
