/** Which characters stand on which piece. */
import type { PieceSet } from './art.svelte';
import type { GameKind } from './config';

type Faces = Readonly<Record<string, string>>;

function faces(letters: string, characters: string): Faces {
  const words = characters.split(' ');
  return Object.fromEntries([...letters].map((letter, index) => [letter, words[index] ?? '']));
}

const TRADITIONAL: Readonly<Record<GameKind, Faces>> = {
  doushouqi: faces('ELTPWDCReltpwdcr', '象 獅 虎 豹 狼 狗 貓 鼠 象 獅 虎 豹 狼 狗 貓 鼠'),
  luzhanqi: faces('MGDBKJCLENXF', '司令 軍長 師長 旅長 團長 營長 連長 排長 工兵 炸彈 地雷 軍旗'),
  xiangqi: faces('KABNRCPkabnrcp', '帥 仕 相 傌 俥 炮 兵 將 士 象 馬 車 砲 卒')
};

const SIMPLIFIED: Readonly<Record<GameKind, Faces>> = {
  doushouqi: faces('ELTPWDCReltpwdcr', '象 狮 虎 豹 狼 狗 猫 鼠 象 狮 虎 豹 狼 狗 猫 鼠'),
  luzhanqi: faces('MGDBKJCLENXF', '司令 军长 师长 旅长 团长 营长 连长 排长 工兵 炸弹 地雷 军旗'),
  xiangqi: faces('KABNRCPkabnrcp', '帅 仕 相 马 车 炮 兵 将 士 象 马 车 炮 卒')
};

/** The characters on a piece; empty for one that is not known. */
export function faceOf(game: GameKind, letter: string, set: PieceSet): string {
  const all = set === 'simplified' ? SIMPLIFIED[game] : TRADITIONAL[game];
  return all[letter] ?? all[letter.toUpperCase()] ?? '';
}

/** How strong Dou Shou Qi's animals are where no rule set says otherwise. */
export const ANIMALS: Readonly<Record<string, number>> = { E: 8, L: 7, T: 6, P: 5, W: 4, D: 3, C: 2, R: 1 };

/** How strong Luzhanqi's soldiers are. */
export const SOLDIERS: Readonly<Record<string, number>> = { M: 9, G: 8, D: 7, B: 6, K: 5, J: 4, C: 3, L: 2, E: 1 };
