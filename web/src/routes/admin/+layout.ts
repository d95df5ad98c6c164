import { need } from '$lib/i18n/index.svelte';

export async function load(): Promise<void> {
  await need('admin', 'people', 'game', 'account', 'search', 'board');
}
