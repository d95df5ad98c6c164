"""Write ../xiangqi-walks.jsonl.gz: positions of random walks with their legal moves, check flag and end, by pyffish.

    python xiangqi_walks.py

Walks of one third of the positions choose uniformly from the start position, of another third with a liking for
captures and checks, and the rest begin at random sparse positions. Every answer is compared with the project's own
slow generator before it is written. The seed is fixed, so the file comes out the same.
"""

import gzip
import json
import pathlib
import random
import sys

import pyffish

from xiangqi_rules import (
    SET,
    START,
    after,
    agree,
    can_stand,
    in_check,
    legal_moves,
    parse,
    read_fen,
    text,
    valid,
    write_fen,
)

HERE = pathlib.Path(__file__).resolve().parent
VARIANTS = {"standard": "xiangqi", "grunfeld": "grunfeld"}
POSITIONS = 12_000
QUIET_LIMIT = 120


def sparse(dice, most=10):
    """A random valid position with at most `most` pieces besides the generals."""
    kinds = [piece for kind in "ABNRCP" for piece in (kind, kind.lower()) for _ in range(SET[kind])]
    while True:
        board = ["."] * 90
        for piece in ["K", "k"] + dice.sample(kinds, dice.randint(2, most)):
            points = [index for index in range(90) if board[index] == "." and can_stand(piece, index)]
            board[dice.choice(points)] = piece
        side = dice.randrange(2)
        if valid(board, side):
            return board, side


def line_of(ruleset, board, side, quiet, number):
    """The judged line of one position, and its legal moves."""
    variant, jumps = VARIANTS[ruleset], ruleset == "grunfeld"
    fen = write_fen(board, side, quiet, number)
    moves = sorted(pyffish.legal_moves(variant, fen, []))
    check = bool(pyffish.gives_check(variant, fen, []))
    end = None
    if not moves:
        end = "checkmate" if check else "stalemate"
        agree(pyffish.game_result(variant, fen, []) < 0, True, (ruleset, fen))
    agree([text(move) for move in legal_moves(board, side, jumps)], moves, (ruleset, fen))
    agree(in_check(board, side), check, (ruleset, fen))
    return {"r": ruleset, "fen": fen, "moves": " ".join(moves), "check": check, "end": end}


def choose(dice, board, side, moves, eager):
    """A random move; an eager walk likes captures and checks eight times as much as others."""
    if not eager:
        return dice.choice(moves)
    weights = [8 if board[move[1]] != "." or in_check(after(board, move), 1 - side) else 1 for move in moves]
    return dice.choices(moves, weights)[0]


def walk(dice, ruleset, kind):
    """The lines of one walk."""
    number, quiet = 1, 0
    if kind == "sparse":
        board, side = sparse(dice)
        length, eager = dice.randint(5, 20), dice.random() < 0.5
    else:
        board, side = read_fen(START)
        length, eager = 120, kind == "eager"
    for _ in range(length):
        line = line_of(ruleset, board, side, quiet, number)
        yield line
        if line["end"] or quiet + 1 >= QUIET_LIMIT:
            return
        move = choose(dice, board, side, [parse(each) for each in line["moves"].split()], eager)
        quiet = 0 if board[move[1]] != "." else quiet + 1
        board, side, number = after(board, move), 1 - side, number + side


def main():
    """Walk until each rule set has its positions of each kind, then write."""
    pyffish.load_variant_config((HERE / "grunfeld.ini").read_text())
    dice, lines, seen = random.Random(1976), [], set()
    for ruleset in VARIANTS:
        for kind in ("uniform", "eager", "sparse"):
            count = 0
            while count < POSITIONS // 3:
                for line in walk(dice, ruleset, kind):
                    place = (ruleset, " ".join(line["fen"].split()[:2]))
                    if place not in seen and count < POSITIONS // 3:
                        seen.add(place)
                        lines.append(line)
                        count += 1
            print(ruleset, kind, count, file=sys.stderr, flush=True)
    body = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    packed = gzip.compress(body.encode(), 9, mtime=0)
    (HERE.parent / "xiangqi-walks.jsonl.gz").write_bytes(packed)
    ends = [line["end"] for line in lines]
    print(
        f"{len(lines)} positions, {sum(line['check'] for line in lines)} checks, {ends.count('checkmate')} checkmates,",
        f"{ends.count('stalemate')} stalemates, {len(packed)} bytes",
    )


if __name__ == "__main__":
    main()
