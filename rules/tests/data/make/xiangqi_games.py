"""Write ../xiangqi-games.jsonl: whole games with their moves, last position and outcome by the project's own rules.

    python xiangqi_games.py

Players of several tempers play at random: eager for captures and checks, even, restless (they like to take their last
move back, which brings about repetitions) and patient (they never capture if they can help it). Some games begin at
sparse positions. Legal moves are compared with pyffish on every tenth ply. The seed is fixed.
"""

import collections
import json
import pathlib
import random

import pyffish

from xiangqi_asian import Game, judge
from xiangqi_rules import START, after, agree, in_check, legal_moves, parse, text, write_fen
from xiangqi_walks import sparse

HERE = pathlib.Path(__file__).resolve().parent
VARIANTS = {"xiangqi/standard": "xiangqi", "xiangqi/grunfeld": "grunfeld"}
LIMIT = 2
QUIET_LIMIT = 120
LONGEST = 700
SEATS = ("first", "second")

# Rule set, temper, where to begin, the reason that the game must end by (None: any), how many such games.
WANTED = [
    (ruleset, temper, begin, reason, count)
    for ruleset in VARIANTS
    for temper, begin, reason, count in (
        ("eager", "start", "checkmate", 4),
        ("even", "start", None, 3),
        ("patient", "start", "quiet_limit", 2),
        ("eager", "sparse", "checkmate", 2),
        ("even", "sparse", "stalemate", 3),
        ("even", "sparse", "quiet_limit", 1),
    )
] + [
    ("xiangqi/standard", "restless", "start", "repetition", 4),
    ("xiangqi/standard", "restless", "sparse", "repetition", 2),
    ("xiangqi/grunfeld", "restless", "start", None, 2),
    ("xiangqi/grunfeld", "restless", "sparse", "checkmate", 1),
]

# The only answer to the check would bring the start position a third time.
BANNED_OUT = ("4k4/9/9/P8/9/9/9/3R5/9/5K3 w - - 0 1", "d3e3 e10d10 e3d3 d10e10 d3e3 e10d10 e3d3")


class Match:
    """A game under way: its moves, how often each position stood, and the counts of a FEN."""

    def __init__(self, ruleset, fen):
        self.ruleset, self.fen = ruleset, fen
        self.bans = ruleset.endswith("grunfeld")
        self.game = Game(fen, self.bans)
        self.stood = collections.Counter([self.place()])
        fields = fen.split()
        self.quiet, self.number = int(fields[4]), int(fields[5])
        self.refused = 0

    def place(self, move=None):
        """The present position, or the one after a move, as a key."""
        board = self.game.boards[-1]
        return tuple(after(board, move) if move else board), self.game.turn() ^ (move is not None)

    def verdict(self, move):
        """How the rules judge a move that the pieces can make: banned, drawn or fine."""
        if self.stood[self.place(move)] < LIMIT:
            return "fine"
        if self.bans:
            return "banned"
        self.game.boards.append(after(self.game.boards[-1], move))
        self.game.moves.append(move)
        verdict = judge(self.game, LIMIT)
        self.game.boards.pop()
        self.game.moves.pop()
        return "banned" if verdict.startswith("banned") else "drawn" if verdict == "draw" else "fine"

    def moves(self):
        """The legal moves."""
        board, turn = self.game.boards[-1], self.game.turn()
        moves = legal_moves(board, turn, self.bans)
        if len(self.game.moves) % 10 == 0:
            place = write_fen(board, turn)
            agree([text(move) for move in moves], sorted(pyffish.legal_moves(VARIANTS[self.ruleset], place, [])), place)
        left = [move for move in moves if self.verdict(move) != "banned"]
        self.refused += len(moves) - len(left)
        return left

    def play(self, move):
        """Play a legal move and give the outcome of the game, if it has ended."""
        drawn = self.verdict(move) == "drawn"
        board = self.game.boards[-1]
        self.quiet = 0 if board[move[1]] != "." else self.quiet + 1
        self.number += self.game.turn()
        self.game.boards.append(after(board, move))
        self.game.moves.append(move)
        self.stood[self.place()] += 1
        turn = self.game.turn()
        if not self.moves():
            reason = "checkmate" if in_check(self.game.boards[-1], turn) else "stalemate"
            return {"winner": SEATS[1 - turn], "reason": reason}
        if drawn:
            return {"winner": None, "reason": "repetition"}
        if self.quiet >= QUIET_LIMIT:
            return {"winner": None, "reason": "quiet_limit"}
        return None

    def line(self, outcome):
        """The game as a line of the file."""
        fen = write_fen(self.game.boards[-1], self.game.turn(), self.quiet, self.number)
        moves = [text(move) for move in self.game.moves]
        line = {"ruleset": self.ruleset, "start": self.fen, "moves": moves, "fen": fen, "outcome": outcome}
        return json.dumps(line, separators=(",", ":")) + "\n"


def weight(match, temper, move):
    """How much a player of a temper likes a move."""
    board, made = match.game.boards[-1], match.game.moves
    takes = board[move[1]] != "."
    if temper == "eager":
        return 12 if takes or in_check(after(board, move), 1 - match.game.turn()) else 1
    if temper == "restless":
        return 60 if len(made) >= 2 and move == made[-2][::-1] else 1
    if temper == "patient":
        return 0.001 if takes else 1
    return 1


def random_match(dice, ruleset, temper, begin):
    """A game to its end, or None if it grows too long."""
    fen = START
    if begin == "sparse":
        while True:
            board, side = sparse(dice, 6)
            if legal_moves(board, side, ruleset.endswith("grunfeld")):
                break
        fen = write_fen(board, side)
    match, outcome = Match(ruleset, fen), None
    while not outcome:
        if len(match.game.moves) == LONGEST:
            return None, None
        moves = match.moves()
        outcome = match.play(dice.choices(moves, [weight(match, temper, move) for move in moves])[0])
    return match, outcome


def main():
    """Play until each kind of game is there, then write."""
    pyffish.load_variant_config((HERE / "grunfeld.ini").read_text())
    dice, lines, ends = random.Random(1988), [], collections.Counter()

    def keep(match, outcome):
        lines.append(match.line(outcome))
        ends[match.ruleset, outcome["reason"]] += 1

    for ruleset, temper, begin, reason, count in WANTED:
        while count:
            match, outcome = random_match(dice, ruleset, temper, begin)
            if match and reason in (None, outcome["reason"]):
                keep(match, outcome)
                count -= 1
        print(ruleset, temper, begin, reason, flush=True)
    match, outcome = Match("xiangqi/grunfeld", BANNED_OUT[0]), None
    for move in BANNED_OUT[1].split():
        outcome = match.play(parse(move))
    keep(match, outcome)
    (HERE.parent / "xiangqi-games.jsonl").write_text("".join(lines))
    for (ruleset, reason), count in sorted(ends.items()):
        print(ruleset, reason, count)


if __name__ == "__main__":
    main()
