"""Write ../xiangqi-wxf.jsonl: one move in each of many positions, in WXF, Chinese and ICCS notation.

    python xiangqi_wxf.py

WXF is written by the World Xiangqi Federation's page on notation, and every move is compared with pyffish, which
differs in two known ways only; then its own text stands in the field `fairy`:

- Of two in tandem it writes the file where the other one would leave the board by the same step (`R6-5`, not `R+-5`).
- It numbers Soldiers in tandem from the front and adds their file (`13=4`) where three or more stand on a file or on
  two files two or more. The Federation has `P+ P3 P-` for three, `++ P+ P- --` for four, `++ P+ P3 P- --` for five on
  one file, and with tandems on two files the file in the letter's place: `3+ 33 3-`.

Chinese names tandems the same way: 前 and 后, 中 for the middle of three, 一 to 五 from the front for four or five, and
with tandems on two files the file in the piece's place (前三平四). Files and steps are 一 to 九 for Red and １ to ９ for
Black. Advisors and Elephants in tandem are written as if alone: only one of them can make the move.
"""

import gzip
import json
import pathlib
import random

import pyffish

from xiangqi_rules import SET, can_stand, legal_moves, name, read_fen, side_of, text, valid, write_fen

HERE = pathlib.Path(__file__).resolve().parent
RED = dict(zip("KABNRCP", "帅仕相马车炮兵", strict=True))
BLACK = dict(zip("KABNRCP", "将士象马车炮卒", strict=True))
LETTERS = dict(zip("KABNRCP", "KAEHRCP", strict=True))
COUNT = "一二三四五六七八九"
DIGITS = "１２３４５６７８９"

# How the men on one file are named from the front, by how many there are: WXF and Chinese. P stands for the letter or
# the piece's character, F for the file.
WXF_NAMES = {
    1: ["PF"],
    2: ["P+", "P-"],
    3: ["P+", "PF", "P-"],
    4: ["++", "P+", "P-", "--"],
    5: ["++", "P+", "PF", "P-", "--"],
}
CHINESE_NAMES = {
    1: ["PF"],
    2: ["前P", "后P"],
    3: ["前P", "中P", "后P"],
    4: ["一P", "二P", "三P", "四P"],
    5: ["一P", "二P", "三P", "四P", "五P"],
}
WXF_TWO_FILES = {1: ["PF"], 2: ["F+", "F-"], 3: ["F+", "FF", "F-"]}
CHINESE_TWO_FILES = {1: ["PF"], 2: ["前F", "后F"], 3: ["前F", "中F", "后F"]}

# What to have: pieces in tandem, by file, and how many positions of each colour. None: positions of the walks.
WANTED = [
    (None, 90),
    ("RR", 18),
    ("CC", 18),
    ("NN", 18),
    ("AA", 8),
    ("BB", 8),
    ("PP", 18),
    ("PPP", 18),
    ("PPPP", 9),
    ("PPPPP", 6),
    ("PP PP", 14),
    ("PPP PP", 14),
    ("RR CC", 5),
]


def seen_by(side, index):
    """File from 1 at the right of a side, and rank from 0 at its own end."""
    own = index if side == 1 else 89 - index
    return own % 9 + 1, 9 - own // 9


def tandems(board, index):
    """The points of the piece's kind and side on each file, from the front, by file."""
    piece, files = board[index], {}
    for other in sorted((at for at in range(90) if board[at] == piece), key=lambda at: -seen_by(side_of(piece), at)[1]):
        files.setdefault(seen_by(side_of(piece), other)[0], []).append(other)
    return files


def written(board, move, names, two_files, letters, digits, ways):
    """A move in a notation of four signs."""
    origin, to = move
    piece = board[origin]
    side, kind = side_of(piece), piece.upper()
    files = tandems(board, origin)
    (file, rank), (new_file, new_rank) = seen_by(side, origin), seen_by(side, to)
    men = files[file]
    if kind in "AB":
        man = "PF"
    elif sum(len(each) > 1 for each in files.values()) > 1:
        man = two_files[len(men)][men.index(origin)]
    else:
        man = names[len(men)][men.index(origin)]
    man = man.replace("P", letters[kind]).replace("F", digits[file - 1])
    way = ways[0] if new_rank > rank else ways[1] if new_rank < rank else ways[2]
    number = new_file if new_file != file else abs(new_rank - rank)
    return man + way + digits[number - 1]


def wxf(board, move):
    """A move in WXF notation."""
    return written(board, move, WXF_NAMES, WXF_TWO_FILES, LETTERS, "123456789", "+-=")


def chinese(board, move):
    """A move in Chinese."""
    side = side_of(board[move[0]])
    letters, digits = (RED, COUNT) if side == 0 else (BLACK, DIGITS)
    return written(board, move, CHINESE_NAMES, CHINESE_TWO_FILES, letters, digits, "进退平")


def iccs(move):
    """A move in ICCS notation, ranks from 0."""
    return "-".join(name(index)[0].upper() + str(index // 9) for index in move)


def known_difference(board, move, ours, theirs):
    """Whether pyffish may write a move like this."""
    origin, to = move
    piece = board[origin]
    files = tandems(board, origin)
    file = seen_by(side_of(piece), origin)[0]
    men = files[file]
    if ours[2:] != theirs[2:]:
        return False
    if len(men) > 2 or sum(len(each) > 1 for each in files.values()) > 1:
        return theirs[:2] == f"{men.index(origin) + 1}{file}"
    if len(men) == 2 and theirs[:2] == f"{LETTERS[piece.upper()]}{file}":
        other = next(man for man in men if man != origin)
        return not 0 <= other // 9 + to // 9 - origin // 9 < 10
    return False


def with_tandem(dice, groups, side):
    """A random position with these pieces in tandem, and the points of the pieces."""
    while True:
        board, mine = ["."] * 90, []
        for group, file in zip(groups, dice.sample(range(9), len(groups)), strict=True):
            piece = group[0] if side == 0 else group[0].lower()
            own = [at for at in range(90) if at % 9 == file and can_stand(piece, at) and board[at] == "."]
            if len(own) < len(group):
                break
            points = dice.sample(own, len(group))
            if piece in "Pp" and sum(seen_by(side, at)[1] < 5 for at in points) > 1:
                break
            for at in points:
                board[at] = piece
            mine += points
        kinds = [kind for kind in "ABNRCP" for _ in range(SET[kind])]
        used = [piece.upper() for piece in board]
        rest = ["K", "k"]
        for kind in dice.sample(kinds, dice.randint(1, 7)):
            if (rest + used).count(kind) < SET[kind]:
                rest.append(kind)
        rest += [kind.lower() for kind in dice.sample(kinds, dice.randint(1, 7))]
        rest = [piece for piece in rest if piece not in {board[at] for at in mine}]
        for piece in rest:
            free = [at for at in range(90) if board[at] == "." and can_stand(piece, at)]
            board[dice.choice(free or [at for at in range(90) if board[at] == "."])] = piece
        if len(mine) == sum(map(len, groups)) and valid(board, side):
            return board, mine


def walked(dice):
    """Positions of the walks by the standard rules, in random order."""
    with gzip.open(HERE.parent / "xiangqi-walks.jsonl.gz", "rt") as lines:
        fens = [line["fen"] for line in map(json.loads, lines) if line["r"] == "standard" and not line["end"]]
    dice.shuffle(fens)
    return fens


def main():
    """Make the positions, write each move in every notation, compare and write."""
    dice, lines, seen = random.Random(2012), [], set()
    fens = walked(dice)
    fairy = 0
    for groups, count in WANTED:
        for side in (0, 1):
            made = 0
            while made < count:
                if groups is None:
                    board, turn = read_fen(fens.pop())
                    moves = legal_moves(board, turn) if turn == side else []
                    kinds = sorted({board[origin] for origin, _ in moves})
                    kind = dice.choice(kinds) if kinds else None
                    moves = [move for move in moves if board[move[0]] == kind]
                else:
                    board, mine = with_tandem(dice, groups.split(), side)
                    moves = [move for move in legal_moves(board, side) if move[0] in mine]
                if not moves:
                    continue
                move, fen = dice.choice(moves), write_fen(board, side)
                if fen in seen:
                    continue
                seen.add(fen)
                made += 1
                line = {"fen": fen, "move": text(move), "wxf": wxf(board, move)}
                theirs = pyffish.get_san("xiangqi", fen, text(move), False, pyffish.NOTATION_XIANGQI_WXF)
                if theirs != line["wxf"]:
                    if not known_difference(board, move, line["wxf"], theirs):
                        raise ValueError(f"{fen} {text(move)}: {line['wxf']}, pyffish {theirs}")
                    line["fairy"] = theirs
                    fairy += 1
                line |= {"chinese": chinese(board, move), "iccs": iccs(move)}
                lines.append(json.dumps(line, ensure_ascii=False) + "\n")
    (HERE.parent / "xiangqi-wxf.jsonl").write_text("".join(lines), encoding="utf-8")
    print(len(lines), "moves,", fairy, "of them written otherwise by pyffish")


if __name__ == "__main__":
    main()
