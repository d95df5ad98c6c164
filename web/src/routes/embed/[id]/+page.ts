import { need } from '$lib/i18n/index.svelte';
import { lookFor } from '$lib/embed/looks';
import { showOnly } from '$lib/settings.svelte';
import type { PageLoad } from './$types';

export const load: PageLoad = async ({ params, url }) => {
  const look = lookFor(url.searchParams);
  showOnly(look.settings);
  await need('embed', 'watch', 'game', 'board', 'people', 'common');
  return { id: params.id, game: look.game, turned: look.turned };
};
