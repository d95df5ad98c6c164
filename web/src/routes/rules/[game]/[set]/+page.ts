import { need } from '$lib/i18n/index.svelte';

export const load = () => need('rules', 'learn', 'game', 'board', 'people', 'account');
