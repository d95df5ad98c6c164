/** All boards: the text of each by its path in `art/`. */
export function all(): Map<string, string>;
