import { need } from '$lib/i18n/index.svelte';

export async function load(): Promise<void> {
  await need('openings', 'search', 'lobby', 'game', 'people', 'board');
}
