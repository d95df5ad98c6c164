import { need } from '$lib/i18n/index.svelte';

// One page for all addresses; everything that it shows comes over the protocol.
export const ssr = false;
export const prerender = false;

export const load = () => need('common');
