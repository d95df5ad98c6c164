/** What a page of rules says: its sections in order, by the options of the rule set. Pure: texts are named, not spoken. */
import type { MessageKey } from '$lib/i18n/spaces';
import type { OptionValue } from '$lib/protocol/protocol';
import { DIAGRAMS, type Diagram } from './diagrams';
import type { GameKind } from '$lib/game/rulesets';

/** Every option of a rule set with its value. */
export type Options = Readonly<Record<string, OptionValue | undefined>>;

/** A list or table that stands in a section besides its texts and figures. */
export type Extra = 'strengths' | 'army' | 'attacks';

/** One section of a page. */
export interface Section {
  /** Its anchor. */
  id: string;
  title: MessageKey;
  texts: readonly MessageKey[];
  figures: readonly Diagram[];
  extra?: Extra;
}

/** A section whose diagrams are named; those that the rule set does not have are left out. */
type Draft = Omit<Section, 'figures'> & { figures?: readonly string[] };

function ban(options: Options): MessageKey {
  return options['repetition_limit'] === 1 ? 'rules.repeat_1' : 'rules.repeat_n';
}

/** What is said only if something holds. */
function when(holds: boolean, ...texts: MessageKey[]): MessageKey[] {
  return holds ? texts : [];
}

function douShouQi(options: Options): Draft[] {
  const ownWay = options['leopard_jumps'] !== 'none';
  return [
    {
      id: 'goal',
      title: 'rules.goal_and_board',
      texts: ['rules.animals_goal', 'rules.animals_board'],
      figures: ['animals_start']
    },
    { id: 'moves', title: 'rules.moves', texts: ['rules.animals_moves'], figures: ['animals_step'] },
    {
      id: 'strength',
      title: 'rules.strength',
      texts: ['rules.animals_strength', ...when(options['dog_outranks_wolf'] === true, 'rules.animals_dog_wolf')],
      figures: ['capture_rank'],
      extra: 'strengths'
    },
    {
      id: 'captures',
      title: 'rules.captures',
      texts: [
        options['elephant_takes_rat'] === true ? 'rules.animals_elephant_yes' : 'rules.animals_elephant_no',
        ...when(options['tiger_takes_lion'] === true, 'rules.animals_tiger_lion')
      ],
      figures: ['rat_and_elephant', 'rat_beats_elephant', 'tiger_and_lion']
    },
    {
      id: 'water',
      title: 'rules.water',
      texts: [
        'rules.animals_swim',
        options['shore_capture'] === 'none' ? 'rules.animals_shore_none' : 'rules.animals_shore_not_elephant'
      ],
      figures: ['rat_swims', 'shore_closed', 'shore_elephant']
    },
    {
      id: 'jumps',
      title: 'rules.jumps',
      texts: [ownWay ? 'rules.animals_jumps_own_way' : 'rules.animals_jumps_both'],
      figures: ['jump_both', 'jump_own_way']
    },
    {
      id: 'traps',
      title: 'rules.traps',
      texts: [
        'rules.animals_traps',
        options['own_traps_weaken'] === true ? 'rules.animals_traps_all' : 'rules.animals_traps_enemy'
      ],
      figures: ['trap_weakens', 'trap_own']
    },
    { id: 'den', title: 'rules.the_den', texts: ['rules.animals_den'], figures: ['den'] },
    {
      id: 'repetition',
      title: 'rules.repetition',
      texts: [ban(options)],
      figures: ['animals_never_again', 'animals_third_time']
    },
    {
      id: 'ends',
      title: 'rules.ends',
      texts: ['rules.no_moves', ...when(options['quiet_limit'] !== 0, 'rules.quiet_captures'), 'rules.other_ends']
    }
  ];
}

function xiangqi(options: Options): Draft[] {
  const asian = options['repetition'] === 'asian';
  const cannon = options['cannon'] === 'always_jumps' ? 'always_jumps' : 'standard';
  return [
    {
      id: 'goal',
      title: 'rules.goal_and_board',
      texts: ['rules.xiangqi_goal', 'rules.xiangqi_board'],
      figures: ['xiangqi_start']
    },
    { id: 'general', title: 'rules.piece_general', texts: ['rules.xiangqi_general'], figures: ['general', 'facing'] },
    { id: 'advisor', title: 'rules.piece_advisor', texts: ['rules.xiangqi_advisor'], figures: ['advisor'] },
    {
      id: 'elephant',
      title: 'rules.piece_elephant',
      texts: ['rules.xiangqi_elephant'],
      figures: ['elephant', 'elephant_river']
    },
    { id: 'horse', title: 'rules.piece_horse', texts: ['rules.xiangqi_horse'], figures: ['horse'] },
    { id: 'chariot', title: 'rules.piece_chariot', texts: ['rules.xiangqi_chariot'], figures: ['chariot'] },
    {
      id: 'cannon',
      title: 'rules.piece_cannon',
      texts: [`rules.xiangqi_cannon_${cannon}`],
      figures: ['cannon_slides', 'cannon_jumps']
    },
    { id: 'soldier', title: 'rules.piece_soldier', texts: ['rules.xiangqi_soldier'], figures: ['soldier'] },
    {
      id: 'ends',
      title: 'rules.ends',
      texts: ['rules.xiangqi_check', ...when(options['quiet_limit'] !== 0, 'rules.quiet_captures'), 'rules.other_ends'],
      figures: ['checkmate', 'stalemate']
    },
    {
      id: 'repetition',
      title: 'rules.repetition',
      texts: asian
        ? ['rules.xiangqi_asian', 'rules.xiangqi_asian_check', 'rules.xiangqi_asian_chase', 'rules.xiangqi_asian_else']
        : [ban(options)],
      figures: ['perpetual_check', 'perpetual_chase', 'xiangqi_third_time']
    }
  ];
}

function luzhanqi(options: Options): Draft[] {
  const held = options['headquarters_hold'] === true;
  return [
    { id: 'goal', title: 'rules.goal', texts: ['rules.armies_goal'], figures: ['flag'] },
    { id: 'army', title: 'rules.army', texts: ['rules.armies_army'], extra: 'army' },
    { id: 'setup', title: 'rules.setup', texts: ['rules.armies_setup'], figures: ['armies_setup'] },
    {
      id: 'knowledge',
      title: 'rules.knowledge',
      texts: [
        'rules.armies_secret',
        options['attacks_reveal'] === true ? 'rules.armies_reveal_yes' : 'rules.armies_reveal_no',
        ...when(options['marshal_loss_reveals_flag'] === true, 'rules.armies_marshal'),
        'rules.armies_notes'
      ]
    },
    {
      id: 'roads',
      title: 'rules.roads_and_camps',
      texts: ['rules.armies_roads'],
      figures: ['roads', 'camp_roads', 'camp_safe', 'mountains']
    },
    {
      id: 'railways',
      title: 'rules.railways',
      texts: ['rules.armies_railways'],
      figures: ['railway', 'engineer_corner']
    },
    {
      id: 'headquarters',
      title: 'rules.headquarters',
      texts: [held ? 'rules.armies_headquarters_held' : 'rules.armies_headquarters_open'],
      figures: ['stay_put', 'headquarters_open', 'headquarters_held']
    },
    { id: 'attacks', title: 'rules.attacks', texts: ['rules.armies_attacks'], extra: 'attacks' },
    {
      id: 'ends',
      title: 'rules.ends',
      texts: [...when(options['quiet_limit'] !== 0, 'rules.quiet_attacks'), 'rules.armies_no_ban', 'rules.other_ends']
    }
  ];
}

function drafts(game: GameKind, options: Options): Draft[] {
  switch (game) {
    case 'doushouqi':
      return douShouQi(options);
    case 'xiangqi':
      return xiangqi(options);
    case 'luzhanqi':
      return luzhanqi(options);
  }
}

/** The sections of a rule set's page. */
export function sections(game: GameKind, ruleset: string, options: Options): Section[] {
  return drafts(game, options).map(({ figures = [], ...section }) => ({
    ...section,
    figures: figures.flatMap((id) =>
      DIAGRAMS.filter((diagram) => diagram.id === id && diagram.rulesets.includes(ruleset))
    )
  }));
}

/** The section that explains an option, for those that have one. */
export const EXPLAINED_IN: Readonly<Record<string, string | undefined>> = {
  dog_outranks_wolf: 'strength',
  elephant_takes_rat: 'captures',
  tiger_takes_lion: 'captures',
  own_traps_weaken: 'traps',
  shore_capture: 'water',
  lion_jumps: 'jumps',
  tiger_jumps: 'jumps',
  leopard_jumps: 'jumps',
  repetition_limit: 'repetition',
  repetition: 'repetition',
  quiet_limit: 'ends',
  cannon: 'cannon',
  attacks_reveal: 'knowledge',
  marshal_loss_reveals_flag: 'knowledge',
  mines_survive: 'attacks',
  headquarters_hold: 'headquarters'
};
