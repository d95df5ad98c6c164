"""Write ../xiangqi-perft.txt: paths of exactly so many plies for both rule sets, counted by Fairy-Stockfish.

    python xiangqi_perft.py path/to/engine

The engine is Fairy-Stockfish with large boards and custom pieces; building one from the source of the pyffish package
is described in README.md. Depth 1 and 2 are compared with pyffish's lists of legal moves, depth 1 to 3 with the
project's own slow generator. The rule sets share their positions, since both cannons give check alike.
"""

import pathlib
import subprocess
import sys

import pyffish

from xiangqi_rules import START, agree, legal_moves, perft, read_fen, text, valid

HERE = pathlib.Path(__file__).resolve().parent
INI = HERE / "grunfeld.ini"
VARIANTS = {"standard": "xiangqi", "grunfeld": "grunfeld"}
LEAST, MOST = 100_000, 5_000_000

POSITIONS = [
    ("the start", START),
    (
        "central cannon against screen horses",
        "r1bakabr1/9/1cn4cn/p1p1p1p1p/9/9/P1P1P1P1P/1CN1C1N2/9/R1BAKABR1 b - - 9 5",
    ),
    ("check by the central cannon", "rnbakab1r/9/4c1nc1/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 3"),
    ("middle game, soldiers face to face", "2bakab1r/9/2n1c1n2/pR2p3p/2p3r2/2P3p2/P3P3P/2N1C1N2/9/2BAKAB1R w - - 2 15"),
    ("middle game, chariots crossed", "2bak1b2/4a4/2n1c1n1c/p1p1p3p/5Nr2/2P6/P3P1P1P/N1C1C4/3RA4/2B1KAB1R b - - 4 17"),
    ("check by a chariot, answers few", "2bakab2/9/4c4/4R4/9/9/9/9/9/3AK1B1r w - - 0 40"),
    ("double check by horse and cannon", "3ak4/2N1a4/9/9/9/4C4/9/4n3r/4A4/2BAK1B2 b - - 3 60"),
    ("check by a cannon over a foreign screen", "3akab2/7n1/4P4/9/4C4/2p6/9/4B4/4A4/2BAK4 b - - 5 44"),
    ("cannon screens in a row", "4k4/4a4/4b4/1c2c2r1/4P4/4C4/R1C1P3n/4B4/4A4/4K4 w - - 1 33"),
    ("a pinned horse, a cannon without a screen", "3k5/4a1R2/3n5/9/2bR5/9/4C4/4B4/1r2A4/c3K4 w - - 7 52"),
    ("blocked horses and elephants", "1nbakab2/1P3P3/2n6/2P1N1P2/9/6B2/2p1P1p2/2N1B4/2p6/4KA3 w - - 0 30"),
    ("facing generals, a lone shield", "4k4/4a4/4P4/9/4n4/9/9/4B4/9/4K2R1 b - - 12 71"),
    ("check on the generals' file", "3k2b2/4P4/9/3n5/9/2R6/9/3r5/4A4/3K2B2 w - - 9 66"),
    ("soldiers in the palace", "3ak4/3P1P3/3aP4/9/8p/P8/9/3p1p3/9/4K4 w - - 0 90"),
    ("soldiers on the last rank, cannons", "1P1ak2P1/9/4b4/9/2C3c2/2c3C2/9/4B4/9/1p1K1A1p1 b - - 22 88"),
    ("endgame, chariot and horse against chariot", "4ka3/4a4/8b/4N4/9/8R/9/4B4/3rA4/4K4 b - - 15 101"),
    ("endgame, two horses and soldier", "2bk5/4a4/4b4/4P4/2N6/6N2/9/4B4/4A4/4K4 w - - 31 95"),
    ("endgame, cannons only", "3k1a3/9/3a5/9/4c4/2B1C4/9/4B4/4A4/2C1KA3 w - - 40 120"),
    (
        "opening, cannon over the river's bank",
        "1rbakabnr/9/1cn4c1/p1p1p1p1p/9/1C7/P1P1P1P1P/2N4C1/9/R1BAKABNR w - - 3 4",
    ),
]


class Engine:
    """Fairy-Stockfish over its text protocol."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.say(f"uci\nsetoption name VariantPath value {INI}")

    def say(self, words):
        """Send a command."""
        self.process.stdin.write(words + "\n")
        self.process.stdin.flush()

    def count(self, variant, fen, depth):
        """Paths of exactly `depth` plies."""
        self.say(f"setoption name UCI_Variant value {variant}\nposition fen {fen}\ngo perft {depth}")
        for line in self.process.stdout:
            if line.startswith("Nodes searched:"):
                return int(line.split(":")[1])
        raise RuntimeError("the engine ended")


def main():
    """Count, compare and write."""
    pyffish.load_variant_config(INI.read_text())
    engine = Engine(sys.argv[1])
    lines = []
    for ruleset, variant in VARIANTS.items():
        jumps = ruleset == "grunfeld"
        for title, fen in POSITIONS:
            board, side = read_fen(fen)
            agree(valid(board, side), True, title)
            moves = [text(move) for move in legal_moves(board, side, jumps)]
            agree(moves, sorted(pyffish.legal_moves(variant, fen, [])), title)
            counts = []
            while not counts or counts[-1] < LEAST or counts[-1] * counts[-1] // counts[-2] < MOST:
                count = engine.count(variant, fen, len(counts) + 1)
                if count > MOST:
                    break
                counts.append(count)
            agree(counts[0], len(moves), title)
            agree(counts[1], sum(len(pyffish.legal_moves(variant, fen, [move])) for move in moves), title)
            agree(counts[2], perft(board, side, 3, jumps), title)
            agree(LEAST <= counts[-1] <= MOST, True, (title, counts))
            printed = " ".join(f"{depth}:{count}" for depth, count in enumerate(counts, 1))
            lines.append(f"{ruleset};{fen};{printed}\n")
            print(title, printed, flush=True)
    (HERE.parent / "xiangqi-perft.txt").write_text("".join(lines))


if __name__ == "__main__":
    main()
