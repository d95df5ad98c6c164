/** What a page of rules says: its sections in order, by the options of the rule set. Pure: texts are named, not spoken. */
import type { GameKind } from '$lib/game/words';
import type { MessageKey } from '$lib/i18n/spaces';
import type { OptionValue } from '$lib/protocol/protocol';
import { DIAGRAMS, type Diagram } from './diagrams';

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

/** Diagrams of these names, as far as this rule set has them. */
function figures(ruleset: string, ...ids: string[]): Diagram[] {
  return ids.flatMap((id) => DIAGRAMS.filter((diagram) => diagram.id === id && diagram.rulesets.includes(ruleset)));
}

function ban(options: Options): MessageKey {
  return options['repetition_limit'] === 1 ? 'rules.repeat_1' : 'rules.repeat_n';
}

/** What is said only if something holds. */
function when(holds: boolean, ...texts: MessageKey[]): MessageKey[] {
  return holds ? texts : [];
}

function douShouQi(ruleset: string, options: Options): Section[] {
  const ownWay = options['leopard_jumps'] !== 'none';
  return [
    {
      id: 'goal',
      title: 'rules.goal_and_board',
      texts: ['rules.animals_goal', 'rules.animals_board'],
      figures: figures(ruleset, 'animals_start')
    },
    { id: 'moves', title: 'rules.moves', texts: ['rules.animals_moves'], figures: figures(ruleset, 'animals_step') },
    {
      id: 'strength',
      title: 'rules.strength',
      texts: ['rules.animals_strength', ...when(options['dog_outranks_wolf'] === true, 'rules.animals_dog_wolf')],
      figures: figures(ruleset, 'capture_rank'),
      extra: 'strengths'
    },
    {
      id: 'captures',
      title: 'rules.captures',
      texts: [
        options['elephant_takes_rat'] === true ? 'rules.animals_elephant_yes' : 'rules.animals_elephant_no',
        ...when(options['tiger_takes_lion'] === true, 'rules.animals_tiger_lion')
      ],
      figures: figures(ruleset, 'rat_and_elephant', 'rat_beats_elephant', 'tiger_and_lion')
    },
    {
      id: 'water',
      title: 'rules.water',
      texts: [
        'rules.animals_swim',
        options['shore_capture'] === 'none' ? 'rules.animals_shore_none' : 'rules.animals_shore_not_elephant'
      ],
      figures: figures(ruleset, 'rat_swims', 'shore_closed', 'shore_elephant')
    },
    {
      id: 'jumps',
      title: 'rules.jumps',
      texts: [ownWay ? 'rules.animals_jumps_own_way' : 'rules.animals_jumps_both'],
      figures: figures(ruleset, 'jump_both', 'jump_own_way')
    },
    {
      id: 'traps',
      title: 'rules.traps',
      texts: [
        'rules.animals_traps',
        options['own_traps_weaken'] === true ? 'rules.animals_traps_all' : 'rules.animals_traps_enemy'
      ],
      figures: figures(ruleset, 'trap_weakens', 'trap_own')
    },
    { id: 'den', title: 'rules.the_den', texts: ['rules.animals_den'], figures: figures(ruleset, 'den') },
    {
      id: 'repetition',
      title: 'rules.repetition',
      texts: [ban(options)],
      figures: figures(ruleset, 'animals_never_again', 'animals_third_time')
    },
    {
      id: 'ends',
      title: 'rules.ends',
      texts: ['rules.no_moves', ...when(options['quiet_limit'] !== 0, 'rules.quiet_captures'), 'rules.other_ends'],
      figures: []
    }
  ];
}

function xiangqi(ruleset: string, options: Options): Section[] {
  const asian = options['repetition'] === 'asian';
  const cannon = options['cannon'] === 'always_jumps' ? 'always_jumps' : 'standard';
  return [
    {
      id: 'goal',
      title: 'rules.goal_and_board',
      texts: ['rules.xiangqi_goal', 'rules.xiangqi_board'],
      figures: figures(ruleset, 'xiangqi_start')
    },
    {
      id: 'general',
      title: 'rules.piece_general',
      texts: ['rules.xiangqi_general'],
      figures: figures(ruleset, 'general', 'facing')
    },
    {
      id: 'advisor',
      title: 'rules.piece_advisor',
      texts: ['rules.xiangqi_advisor'],
      figures: figures(ruleset, 'advisor')
    },
    {
      id: 'elephant',
      title: 'rules.piece_elephant',
      texts: ['rules.xiangqi_elephant'],
      figures: figures(ruleset, 'elephant', 'elephant_river')
    },
    { id: 'horse', title: 'rules.piece_horse', texts: ['rules.xiangqi_horse'], figures: figures(ruleset, 'horse') },
    {
      id: 'chariot',
      title: 'rules.piece_chariot',
      texts: ['rules.xiangqi_chariot'],
      figures: figures(ruleset, 'chariot')
    },
    {
      id: 'cannon',
      title: 'rules.piece_cannon',
      texts: [`rules.xiangqi_cannon_${cannon}`],
      figures: figures(ruleset, 'cannon_slides', 'cannon_jumps')
    },
    {
      id: 'soldier',
      title: 'rules.piece_soldier',
      texts: ['rules.xiangqi_soldier'],
      figures: figures(ruleset, 'soldier')
    },
    {
      id: 'ends',
      title: 'rules.ends',
      texts: ['rules.xiangqi_check', ...when(options['quiet_limit'] !== 0, 'rules.quiet_captures'), 'rules.other_ends'],
      figures: figures(ruleset, 'checkmate', 'stalemate')
    },
    {
      id: 'repetition',
      title: 'rules.repetition',
      texts: asian
        ? ['rules.xiangqi_asian', 'rules.xiangqi_asian_check', 'rules.xiangqi_asian_chase', 'rules.xiangqi_asian_else']
        : [ban(options)],
      figures: figures(ruleset, 'perpetual_check', 'perpetual_chase', 'xiangqi_third_time')
    }
  ];
}

function luzhanqi(ruleset: string, options: Options): Section[] {
  const held = options['headquarters_hold'] === true;
  return [
    { id: 'goal', title: 'rules.goal', texts: ['rules.armies_goal'], figures: figures(ruleset, 'flag') },
    { id: 'army', title: 'rules.army', texts: ['rules.armies_army'], figures: [], extra: 'army' },
    { id: 'setup', title: 'rules.setup', texts: ['rules.armies_setup'], figures: figures(ruleset, 'armies_setup') },
    {
      id: 'knowledge',
      title: 'rules.knowledge',
      texts: [
        'rules.armies_secret',
        options['attacks_reveal'] === true ? 'rules.armies_reveal_yes' : 'rules.armies_reveal_no',
        ...when(options['marshal_loss_reveals_flag'] === true, 'rules.armies_marshal'),
        'rules.armies_notes'
      ],
      figures: []
    },
    {
      id: 'roads',
      title: 'rules.roads_and_camps',
      texts: ['rules.armies_roads'],
      figures: figures(ruleset, 'roads', 'camp_roads', 'camp_safe', 'mountains')
    },
    {
      id: 'railways',
      title: 'rules.railways',
      texts: ['rules.armies_railways'],
      figures: figures(ruleset, 'railway', 'engineer_corner')
    },
    {
      id: 'headquarters',
      title: 'rules.headquarters',
      texts: [held ? 'rules.armies_headquarters_held' : 'rules.armies_headquarters_open'],
      figures: figures(ruleset, 'stay_put', 'headquarters_open', 'headquarters_held')
    },
    { id: 'attacks', title: 'rules.attacks', texts: ['rules.armies_attacks'], figures: [], extra: 'attacks' },
    {
      id: 'ends',
      title: 'rules.ends',
      texts: [...when(options['quiet_limit'] !== 0, 'rules.quiet_attacks'), 'rules.armies_no_ban', 'rules.other_ends'],
      figures: []
    }
  ];
}

/** The sections of a rule set's page. */
export function sections(game: GameKind, ruleset: string, options: Options): Section[] {
  switch (game) {
    case 'doushouqi':
      return douShouQi(ruleset, options);
    case 'xiangqi':
      return xiangqi(ruleset, options);
    case 'luzhanqi':
      return luzhanqi(ruleset, options);
  }
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
