/**
 * The positions of the rules' diagrams.
 *
 * What a diagram shows is not drawn by hand: its marked moves are those that the program itself calls legal. They stand in
 * `verdicts.json`, which `npm run diagrams -- PATH/TO/qiguan` makes with `qiguan check`, and which the same command with
 * `--check` compares. A test sees to it that the two files belong together, and that every move that a text relies on
 * (`can`, `never`, `banned`, `ends`) is legal, or is not. The same file says what comes of each move, so that a diagram can be tried
 * without a server.
 */
import type { Reason } from '$lib/learn/lesson';

/** Everything about a diagram but its drawing. */
export interface Diagram {
  /** Its name, unique among all. The text below it is `rules.figure_NAME`. */
  id: string;
  /** The rule sets that it is shown for, and for which its moves are checked. */
  rulesets: readonly string[];
  /** The position to begin with; null for Luzhanqi's two setups below. */
  start: string | null;
  /** What has been played since. */
  moves?: readonly string[];
  /** Luzhanqi: both setups, six ranks each, the highest of the board first. */
  setups?: { first: string; second: string };
  /** Whose legal moves are marked. */
  from?: readonly string[];
  /** Moves that the text says are possible. */
  can?: readonly string[];
  /** Moves that the text says are impossible, by why they are (`learn.why_REASON`); they are marked as such. */
  never?: Partial<Readonly<Record<Reason, string>>>;
  /** Moves that only a ban forbids, and why; they are marked as such. */
  banned?: Readonly<Record<string, 'repetition' | 'perpetual_check' | 'perpetual_chase'>>;
  /** A move that ends the game, or null if the position is the end; and how. */
  ends?: { move: string | null; reason: string };
  /** Whether the second seat's pieces are drawn as backs. */
  hidden?: boolean;
}

const ANCIENT = 'doushouqi/ancientchess';
const BOOKLET = 'doushouqi/booklet';
const TIERSCHACH = 'doushouqi/tierschach';
const ANIMALS = [ANCIENT, BOOKLET, TIERSCHACH];

const DOU_SHOU_QI: Diagram[] = [
  { id: 'animals_start', rulesets: ANIMALS, start: 'l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w - - 0 1' },
  {
    id: 'animals_step',
    rulesets: ANIMALS,
    start: '7/7/7/3d3/7/7/1C5/7/7 w - - 0 1',
    from: ['b3'],
    can: ['b3a3', 'b3c3', 'b3b2'],
    never: { only_rat: 'b3b4' }
  },
  {
    id: 'rat_swims',
    rulesets: ANIMALS,
    start: '6d/7/7/7/1R5/7/7/7/7 w - - 0 1',
    from: ['b5'],
    can: ['b5b6', 'b5b4', 'b5c5', 'b5a5']
  },
  {
    id: 'jump_both',
    rulesets: [ANCIENT, BOOKLET],
    start: '7/7/1w5/7/3T1r1/7/1L5/7/7 w - - 0 1',
    from: ['b3', 'd5'],
    can: ['b3b7', 'd5a5'],
    never: { rat_blocks: 'd5g5' }
  },
  {
    id: 'jump_own_way',
    rulesets: [TIERSCHACH],
    start: '7/7/1w5/7/3P1r1/7/1T2L2/7/7 w - - 0 1',
    from: ['b3', 'd5'],
    can: ['b3b7', 'd5a5'],
    never: { rat_blocks: 'd5g5', lion_stays: 'e3e7' }
  },
  {
    id: 'capture_rank',
    rulesets: ANIMALS,
    start: '7/7/7/7/7/3p3/2dPt2/7/7 w - - 0 1',
    from: ['d3'],
    can: ['d3c3', 'd3d4'],
    never: { stronger: 'd3e3' }
  },
  {
    id: 'rat_and_elephant',
    rulesets: [ANCIENT, TIERSCHACH],
    start: '7/7/7/r5e/E5R/7/7/7/7 w - - 0 1',
    from: ['a5', 'g5'],
    can: ['a5a6', 'g5g6']
  },
  {
    id: 'rat_beats_elephant',
    rulesets: [BOOKLET],
    start: '7/7/7/r5e/E5R/7/7/7/7 w - - 0 1',
    from: ['a5', 'g5'],
    can: ['g5g6'],
    never: { elephant_rat: 'a5a6' }
  },
  {
    id: 'tiger_and_lion',
    rulesets: [TIERSCHACH],
    start: '7/7/7/7/7/l6/T6/7/7 w - - 0 1',
    from: ['a3'],
    can: ['a3a4']
  },
  {
    id: 'shore_closed',
    rulesets: [ANCIENT, TIERSCHACH],
    start: '7/7/7/7/7/eR5/1r5/7/7 w - - 0 1',
    from: ['b4'],
    can: ['b4b5', 'b4c4'],
    never: { shore: 'b4a4 b4b3' }
  },
  {
    id: 'shore_elephant',
    rulesets: [BOOKLET],
    start: '7/7/7/7/7/eR5/1r5/7/7 w - - 0 1',
    from: ['b4'],
    can: ['b4b3'],
    never: { shore_elephant: 'b4a4' }
  },
  {
    id: 'trap_weakens',
    rulesets: ANIMALS,
    start: '7/7/7/7/7/7/7/2Ce3/7 w - - 0 1',
    from: ['c2'],
    can: ['c2d2']
  },
  {
    id: 'trap_own',
    rulesets: [TIERSCHACH],
    start: '7/2Cl3/7/7/7/7/7/7/7 w - - 0 1',
    from: ['c8'],
    can: ['c8d8']
  },
  {
    id: 'den',
    rulesets: ANIMALS,
    start: '7/2cL3/7/7/7/7/7/3C3/7 w - - 0 1',
    from: ['d8', 'd2'],
    can: ['d8d9'],
    never: { trapped: 'd8c8', own_den: 'd2d1' },
    ends: { move: 'd8d9', reason: 'den' }
  },
  {
    id: 'animals_never_again',
    rulesets: [ANCIENT],
    start: '7/7/6w/7/7/7/L6/7/7 w - - 0 1',
    moves: ['a3a2', 'g7g8', 'a2a1', 'g8g7'],
    banned: { a1a2: 'repetition' }
  },
  {
    id: 'animals_third_time',
    rulesets: [BOOKLET, TIERSCHACH],
    start: '7/7/6w/7/7/7/L6/7/7 w - - 0 1',
    moves: ['a3a2', 'g7g8', 'a2a1', 'g8g7', 'a1a2', 'g7g8', 'a2a1', 'g8g7'],
    banned: { a1a2: 'repetition' }
  }
];

const STANDARD = 'xiangqi/standard';
const GRUNFELD = 'xiangqi/grunfeld';
const XIANGQI_SETS = [STANDARD, GRUNFELD];
const CANNON = '3k5/2n6/9/2p6/9/9/9/2C6/9/4K4 w - - 0 1';
const CHECKS = ['a2a10', 'd10d9', 'a10a9', 'd9d10', 'a9a10', 'd10d9', 'a10a9', 'd9d10'];

const XIANGQI: Diagram[] = [
  {
    id: 'xiangqi_start',
    rulesets: XIANGQI_SETS,
    start: 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1'
  },
  {
    id: 'general',
    rulesets: XIANGQI_SETS,
    start: '3k5/9/9/9/9/9/9/9/4K4/9 w - - 0 1',
    from: ['e2'],
    can: ['e2e1', 'e2e3', 'e2f2'],
    never: { face: 'e2d2' }
  },
  {
    id: 'advisor',
    rulesets: XIANGQI_SETS,
    start: '3k5/9/9/9/9/9/9/9/4A4/4K4 w - - 0 1',
    from: ['e2'],
    can: ['e2d1', 'e2f1', 'e2d3', 'e2f3']
  },
  {
    id: 'elephant',
    rulesets: XIANGQI_SETS,
    start: '3k5/9/9/9/9/9/5N3/4B4/9/4K4 w - - 0 1',
    from: ['e3'],
    can: ['e3c5', 'e3c1', 'e3g1'],
    never: { elephant_eye: 'e3g5' }
  },
  {
    id: 'elephant_river',
    rulesets: XIANGQI_SETS,
    start: '3k5/9/9/9/9/2B6/9/9/9/4K4 w - - 0 1',
    from: ['c5'],
    can: ['c5a3', 'c5e3'],
    never: { river: 'c5a7 c5e7' }
  },
  {
    id: 'horse',
    rulesets: XIANGQI_SETS,
    start: '3k5/9/9/9/4P4/4N4/9/9/9/4K4 w - - 0 1',
    from: ['e5'],
    can: ['e5c6', 'e5g6', 'e5c4', 'e5g4', 'e5d3', 'e5f3'],
    never: { horse_leg: 'e5d7 e5f7' }
  },
  {
    id: 'chariot',
    rulesets: XIANGQI_SETS,
    start: '3k5/9/9/2p6/9/9/2R3P2/9/9/4K4 w - - 0 1',
    from: ['c4'],
    can: ['c4c7', 'c4f4', 'c4c1', 'c4a4'],
    never: { in_way: 'c4c8 c4g4' }
  },
  {
    id: 'cannon_slides',
    rulesets: [STANDARD],
    start: CANNON,
    from: ['c3'],
    can: ['c3c6', 'c3i3', 'c3c9'],
    never: { cannon_slides: 'c3c7', cannon_quiet: 'c3c8' }
  },
  {
    id: 'cannon_jumps',
    rulesets: [GRUNFELD],
    start: CANNON,
    from: ['c3'],
    can: ['c3c8', 'c3c9'],
    never: { cannon_jumps: 'c3c6 c3c7 c3d3' }
  },
  {
    id: 'soldier',
    rulesets: XIANGQI_SETS,
    start: '3k5/9/9/6P2/9/9/2P6/9/9/4K4 w - - 0 1',
    from: ['c4', 'g7'],
    can: ['c4c5', 'g7g8', 'g7f7', 'g7h7'],
    never: { soldier_sideways: 'c4b4 c4d4', soldier_back: 'g7g6' }
  },
  {
    id: 'facing',
    rulesets: XIANGQI_SETS,
    start: '4k4/9/9/9/9/4N4/9/9/9/4K4 w - - 0 1',
    never: { face: 'e5c6 e5d7 e5f7 e5g6 e5g4 e5f3 e5d3 e5c4' }
  },
  {
    id: 'checkmate',
    rulesets: XIANGQI_SETS,
    start: '3k5/1R7/9/9/9/9/9/9/R8/4K4 w - - 0 1',
    moves: ['a2a10'],
    ends: { move: null, reason: 'checkmate' }
  },
  {
    id: 'stalemate',
    rulesets: XIANGQI_SETS,
    start: '3k5/9/R8/9/9/9/9/9/9/4K4 w - - 0 1',
    moves: ['a8a9'],
    ends: { move: null, reason: 'stalemate' }
  },
  {
    id: 'perpetual_check',
    rulesets: [STANDARD],
    start: '3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1',
    moves: CHECKS,
    banned: { a9a10: 'perpetual_check' }
  },
  {
    id: 'perpetual_chase',
    rulesets: [STANDARD],
    start: '4k4/9/2n6/9/9/9/9/9/3R5/5K3 w - - 0 1',
    moves: ['d2c2', 'c8d6', 'c2d2', 'd6c8', 'd2c2', 'c8d6', 'c2d2', 'd6c8'],
    banned: { d2c2: 'perpetual_chase' }
  },
  {
    id: 'xiangqi_third_time',
    rulesets: [GRUNFELD],
    start: '3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1',
    moves: CHECKS,
    banned: { a9a10: 'repetition' }
  }
];

const MODERN = 'luzhanqi/modern';
const ARMIES = ['luzhanqi/referee', 'luzhanqi/showdown', 'luzhanqi/northern', MODERN];

const LUZHANQI: Diagram[] = [
  {
    id: 'armies_setup',
    rulesets: ARMIES,
    start: null,
    setups: { first: 'DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX', second: 'xfcxe/nlxcl/j1e1n/db1lk/e1m1g/cjbkd' },
    hidden: true
  },
  {
    id: 'roads',
    rulesets: ARMIES,
    start: '3f1/4c/5/5/5/5/5/5/1J3/5/5/1F3 w - - 0 1',
    from: ['b4'],
    can: ['b4a4', 'b4c4', 'b4b3', 'b4b5'],
    never: { diagonal: 'b4a5 b4c5 b4a3 b4c3' }
  },
  {
    id: 'camp_roads',
    rulesets: ARMIES,
    start: '3f1/4c/5/5/5/5/5/5/2K2/5/5/1F3 w - - 0 1',
    from: ['c4'],
    can: ['c4b5', 'c4c5', 'c4d5', 'c4b4', 'c4d4', 'c4b3', 'c4c3', 'c4d3']
  },
  {
    id: 'camp_safe',
    rulesets: ARMIES,
    start: '3f1/5/5/5/1k3/2L2/5/5/5/5/5/1F3 w - - 0 1',
    from: ['c7'],
    can: ['c7d8', 'c7c8'],
    never: { camp: 'c7b8' }
  },
  {
    id: 'railway',
    rulesets: ARMIES,
    start: '3f1/4c/5/l4/5/5/5/5/5/5/B2C1/1F3 w - - 0 1',
    from: ['a2'],
    can: ['a2a8', 'a2a9', 'a2c2'],
    never: { in_way: 'a2a10 a2d2', corner: 'a2c6' }
  },
  {
    id: 'engineer_corner',
    rulesets: ARMIES,
    start: '3f1/4c/5/l4/5/5/5/5/5/5/E2C1/1F3 w - - 0 1',
    from: ['a2'],
    can: ['a2c6', 'a2c7', 'a2e2', 'a2e11', 'a2a9'],
    never: { no_railway: 'a2c4' }
  },
  {
    id: 'mountains',
    rulesets: ARMIES,
    start: '3f1/4c/5/5/5/5/1J3/5/5/5/5/1F3 w - - 0 1',
    from: ['b6'],
    can: ['b6a6', 'b6e6', 'b6b5'],
    never: { mountains: 'b6b7' }
  },
  {
    id: 'stay_put',
    rulesets: ARMIES,
    start: '3f1/4c/5/5/5/5/5/5/5/4J/2X2/1F3 w - - 0 1',
    never: { never_moves: 'c2b2 c2c3 c2d2 b1a1 b1b2 b1c1' }
  },
  {
    id: 'headquarters_open',
    rulesets: ARMIES.slice(0, 3),
    start: '3f1/4c/5/5/5/5/5/5/5/5/5/1F1J1 w - - 0 1',
    from: ['d1'],
    can: ['d1c1', 'd1e1', 'd1d2']
  },
  {
    id: 'headquarters_held',
    rulesets: [MODERN],
    start: '3f1/4c/5/5/5/5/5/5/5/4L/5/1F1J1 w - - 0 1',
    from: ['e3'],
    never: { headquarters: 'd1c1 d1e1 d1d2' }
  },
  {
    id: 'flag',
    rulesets: ARMIES,
    start: '3f1/3L1/5/5/5/4c/5/5/5/5/5/1F3 w - - 0 1',
    from: ['d11'],
    can: ['d11d12'],
    ends: { move: 'd11d12', reason: 'flag' }
  }
];

/** All diagrams. */
export const DIAGRAMS: readonly Diagram[] = [...DOU_SHOU_QI, ...XIANGQI, ...LUZHANQI];

/** The attacks of Luzhanqi that its rules are explained by: who attacks whom. What comes of each stands in `verdicts.json`. */
export const ATTACKS = ['GD', 'DG', 'KK', 'EE', 'NM', 'MN', 'BX', 'EX', 'NX', 'LF'] as const;
