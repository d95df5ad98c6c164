"""Replay judged games that somebody else has made through the rules written here, and tell what differs.

    python xiangqi_samples.py FILE.jsonl.gz

No such file is in this repository. Each of its lines is an object with `id`, `tags`, `request` and `answer`, the last two as
`qiguan check` reads and writes them (docs/check.md).
"""

import gzip
import json
import re
import sys

from xiangqi_asian import CORPUS, Game, judge
from xiangqi_rules import START, in_check, legal_moves, parse, read_fen, text, valid


def answer(request, reading=CORPUS):
    """What the derived rules answer: the code of the first fault with its ply, or the lists and the outcome."""
    options = {"cannon": "standard", "repetition": "asian", "repetition_limit": 2, "quiet_limit": 120}
    if request["ruleset"] == "xiangqi/grunfeld":
        options.update(cannon="always_jumps", repetition="ban")
    options.update(request.get("options") or {})
    jumps = options["cannon"] == "always_jumps"
    fen = request.get("start", START)
    board, side = read_fen(fen)
    if not valid(board, side):
        return {"error": ("bad_position", None)}
    game = Game(fen, jumps)
    quiet = int(fen.split()[4])

    def state():
        legal, banned, draws = [], [], False
        for move in legal_moves(game.boards[-1], game.turn(), jumps):
            ban = False
            game.play(move)
            if options["repetition"] == "ban":
                ban = len(game.occurrences()) > options["repetition_limit"]
            else:
                ban = (judge(game, options["repetition_limit"], reading) or "").startswith("banned")
            game.boards.pop()
            game.moves.pop()
            (banned if ban else legal).append(text(move))
        check = in_check(game.boards[-1], game.turn())
        outcome = None
        if options["repetition"] == "asian" and game.moves:
            draws = judge(game, options["repetition_limit"], reading) == "draw"
        if not legal:
            winner = ("first", "second")[1 - game.turn()]
            outcome = {"winner": winner, "reason": "checkmate" if check else "stalemate"}
        elif draws:
            outcome = {"winner": None, "reason": "repetition"}
        elif options["quiet_limit"] and quiet >= options["quiet_limit"]:
            outcome = {"winner": None, "reason": "quiet_limit"}
        if outcome:
            legal, banned = [], []
        return {"check": check, "legal": legal, "banned": banned, "outcome": outcome}

    now = state()
    for ply, move in enumerate(request["moves"], 1):
        if not isinstance(move, str):
            return {"error": ("bad_request", None)}
        if now["outcome"]:
            return {"error": ("game_over", ply)}
        if not re.fullmatch("([a-i]([1-9]|10)){2}", move):
            return {"error": ("bad_move", ply)}
        if move in now["banned"]:
            return {"error": ("banned_move", ply)}
        if move not in now["legal"]:
            return {"error": ("illegal_move", ply)}
        quiet = 0 if game.boards[-1][parse(move)[1]] != "." else quiet + 1
        game.play(parse(move))
        now = state()
    return now


def main():
    """Print every sample with a game in it that the derived rules answer otherwise."""
    agree = total = skipped = 0
    with gzip.open(sys.argv[1], "rt") as lines:
        for line in lines:
            sample = json.loads(line)
            wanted = sample["answer"]
            code = wanted.get("error", {}).get("code")
            if "request" not in sample or code in ("bad_request", "bad_option", "unknown_ruleset"):
                skipped += 1
                continue
            if code == "bad_position":
                skipped += 1
                continue
            total += 1
            got = answer(sample["request"])
            if "error" in wanted:
                same = got.get("error") == (code, wanted["error"].get("ply"))
            else:
                same = all(got.get(field) == wanted[field] for field in ("check", "legal", "banned", "outcome"))
            agree += same
            if not same:
                print(sample["id"], sample["tags"], json.dumps(sample["request"]))
                print("  wanted", {key: wanted[key] for key in wanted if key in ("banned", "outcome", "error")})
                print("  got   ", {key: got[key] for key in got if key in ("banned", "outcome", "error")})
    print(f"{agree} of {total} agree, {skipped} without a game left out")


if __name__ == "__main__":
    main()
