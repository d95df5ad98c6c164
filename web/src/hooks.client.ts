import type { HandleClientError } from '@sveltejs/kit';

/** What breaks in a page is logged; an address that leads nowhere is no fault of the page. */
export const handleError: HandleClientError = ({ error, status, message }) => {
  if (status !== 404) console.error(error);
  return { message };
};
