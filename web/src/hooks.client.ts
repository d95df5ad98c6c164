import type { HandleClientError } from '@sveltejs/kit';
import { session } from '$lib/session.svelte';

/** What breaks in a page is logged; an address that leads nowhere, and a page that can't come without a connection, are no faults. */
export const handleError: HandleClientError = ({ error, status, message }) => {
  if (status !== 404 && session.link.kind === 'online') console.error(error);
  return { message };
};
