import { redirect } from '@sveltejs/kit';

/** The rule set that a game is usually played by. */
const USUAL: Readonly<Record<string, string | undefined>> = {
  doushouqi: 'booklet',
  luzhanqi: 'modern',
  xiangqi: 'standard'
};

export function load({ params }: { params: { game: string } }): never {
  const set = USUAL[params.game];
  redirect(307, set ? `/rules/${params.game}/${set}` : '/rules');
}
