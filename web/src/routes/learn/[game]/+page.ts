import { redirect } from '@sveltejs/kit';
import { isGame, lessonsIn } from '$lib/learn/lessons';

export function load({ params }: { params: { game: string } }): never {
  const [first] = isGame(params.game) ? lessonsIn(params.game) : [];
  redirect(307, first ? `/learn/${first.ruleset}` : '/learn');
}
