import { need } from '$lib/i18n/index.svelte';

export const load = () => need('analysis', 'openings', 'board', 'game', 'lobby', 'replay');
