import type account from './messages/en/account.json';
import type admin from './messages/en/admin.json';
import type analysis from './messages/en/analysis.json';
import type board from './messages/en/board.json';
import type common from './messages/en/common.json';
import type embed from './messages/en/embed.json';
import type fairness from './messages/en/fairness.json';
import type game from './messages/en/game.json';
import type hotseat from './messages/en/hotseat.json';
import type learn from './messages/en/learn.json';
import type lobby from './messages/en/lobby.json';
import type notice from './messages/en/notice.json';
import type openings from './messages/en/openings.json';
import type people from './messages/en/people.json';
import type push from './messages/en/push.json';
import type puzzles from './messages/en/puzzles.json';
import type replay from './messages/en/replay.json';
import type rules from './messages/en/rules.json';
import type search from './messages/en/search.json';
import type watch from './messages/en/watch.json';

/** All texts by space; the English ones say which there are. A test sees to it that every language has them all. */
export interface Spaces {
  account: typeof account;
  admin: typeof admin;
  analysis: typeof analysis;
  board: typeof board;
  common: typeof common;
  embed: typeof embed;
  fairness: typeof fairness;
  game: typeof game;
  hotseat: typeof hotseat;
  learn: typeof learn;
  lobby: typeof lobby;
  notice: typeof notice;
  openings: typeof openings;
  people: typeof people;
  push: typeof push;
  puzzles: typeof puzzles;
  replay: typeof replay;
  rules: typeof rules;
  search: typeof search;
  watch: typeof watch;
}

/** The name of a space. */
export type Space = keyof Spaces;

/** The name of a text: its space, a dot, and its key there. */
export type MessageKey = { [S in Space]: `${S}.${keyof Spaces[S] & string}` }[Space];
