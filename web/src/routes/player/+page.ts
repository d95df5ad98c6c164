import { redirect } from '@sveltejs/kit';
import { need } from '$lib/i18n/index.svelte';
import type { PageLoad } from './$types';

/** A name that was typed leads to its player. */
export const load: PageLoad = ({ url }) => {
  const name = url.searchParams.get('name')?.trim();
  if (name) redirect(307, `/player/${encodeURIComponent(name)}`);
  return need('people', 'game', 'account');
};
