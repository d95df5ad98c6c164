"""A program that plays: `qiguan engine` inside, and outside what the way of speaking and the fault of its arguments make of it.

engine.py QIGUAN WAY [FAULT FOLDER]

WAY is uci (ranks from 1), uci0 (UCI with ranks from 0), ucci (ranks from 0; ends when it is greeted otherwise, as some do) or quiet (the same,
but it passes over what it does not know); chess plays another game. FAULT happens with each `go`, or with the first one: illegal, illegal-once, silent-once, dies-once,
hungry-once. plays:a1a2,b1b2 are the moves that it plays first, with ranks from 1. What the program hears is written to FOLDER/heard, and that a fault has happened to FOLDER/fault.
"""

import os
import re
import subprocess
import sys
import time

PATH, WAY, FAULT, FOLDER = (sys.argv[1:] + ["", ""])[:4]
SCRIPT = FAULT[len("plays:"):].split(",") if FAULT.startswith("plays:") else []
INNER = "uci" if WAY in ("uci", "chess") else "ucci"
child = subprocess.Popen([PATH, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(line):
    child.stdin.write(line + "\n")
    child.stdin.flush()


def answer(last):
    """What the engine answers, up to the line that begins so."""
    while True:
        line = child.stdout.readline().rstrip("\n")
        yield line
        if not line or line.startswith(last):
            return


def say(line):
    print(line, flush=True)


def written(move):
    return move if WAY == "uci" else re.sub(r"\d+", lambda rank: str(int(rank[0]) - 1), move)


def happens():
    """Whether the fault happens now: the first go is still the question by which ranks are found out."""
    if FAULT in ("", "none") or not os.path.exists(FOLDER + "/asked"):
        if FOLDER:
            open(FOLDER + "/asked", "w").close()
        return False
    if FAULT.startswith("plays:"):
        return bool(SCRIPT)
    if FAULT.endswith("-once") and os.path.exists(FOLDER + "/fault"):
        return False
    open(FOLDER + "/fault", "w").close()
    return True


def go(line):
    if WAY == "chess":
        return say("bestmove e2e4")
    if happens():
        if SCRIPT:
            return say("bestmove " + written(SCRIPT.pop(0)))
        if FAULT.startswith("illegal"):
            return say("bestmove a1a9" if WAY == "uci" else "bestmove a0a8")
        if FAULT == "silent-once":
            time.sleep(3600)
        if FAULT == "hungry-once":
            # Under a limit this ends the program.
            return say("bestmove a1a9" if bytearray(1 << 30) else "")
        sys.exit(1)
    # It thinks little, whatever it is told.
    chosen = re.search(r" searchmoves .*", line)
    ask("go nodes 300" + (chosen.group() if chosen else ""))
    for said in answer("bestmove"):
        say(said)


for line in sys.stdin:
    line = line.rstrip("\n")
    if FOLDER:
        with open(FOLDER + "/heard", "a") as heard:
            heard.write(line + "\n")
    if line in ("uci", "ucci"):
        if line == WAY or (line == "uci" and WAY in ("uci0", "chess")) or (line == "ucci" and WAY == "quiet"):
            ask(INNER)
            for said in answer(INNER + "ok"):
                # UCI with ranks from 0 is UCCI in the words of UCI.
                say({"ucciok": "uciok"}.get(said, said) if WAY == "uci0" else said)
        elif WAY == "ucci":
            sys.exit(0)
    elif line == "isready":
        ask(line)
        for said in answer("readyok"):
            say(said)
    elif line.startswith("go"):
        go(line)
    elif line == "quit":
        break
    else:
        ask(line)
ask("quit")
