import { need } from '$lib/i18n/index.svelte';

export const load = () => need('account', 'people', 'game', 'board', 'push');
