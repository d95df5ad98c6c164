"""Two guests play game after game over HTTP until they are ended: load.py SERVER FILE. Each line of the file is how many plies they know to be
stored, after the games and their plies: load.py --check SERVER FILE asks whether the server has them."""

import http.client
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request
import uuid

CREATE = {
    "ruleset": "xiangqi/standard",
    "time_control": {"clock": {"type": "fischer", "initial_ms": 600000, "increment_ms": 5000}},
    "seat": "first",
    "visibility": "link",
}


def ask(server, path, token=None, body=None):
    """The answer's first line. Asks again, with the same command, while the server is away or busy."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = "Bearer " + token
    data = None if body is None else json.dumps(body).encode()
    while True:
        try:
            request = urllib.request.Request(server + path, data, headers)
            with urllib.request.urlopen(request, timeout=10) as answer:
                return json.loads(answer.readline())
        except urllib.error.HTTPError as error:
            text = error.read().decode()
            if error.code < 500 and error.code != 429:
                raise SystemExit(f"{path}: {error.code} {text}") from None
        except (OSError, http.client.HTTPException, json.JSONDecodeError):
            pass
        time.sleep(0.2)


def command(server, token, game, kind, **more):
    data = {"game": game, "command": str(uuid.uuid4()), **more}
    return ask(server, f"/api/games/{game}/commands", token, {"type": kind, "data": data})


def play(server, file):
    tokens = [ask(server, "/api/guest", body={})["token"] for _ in range(2)]
    plies = 0
    while True:
        game = ask(server, "/api/games", tokens[0], {"command": str(uuid.uuid4()), **CREATE})["game"]
        command(server, tokens[1], game, "join")
        for ply in range(1, 41):
            token = tokens[(ply - 1) % 2]
            view = ask(server, f"/api/games/{game}/stream?as=me", token)["view"]
            if view["status"] != "playing":
                break
            command(server, token, game, "move", ply=ply, move=random.choice(view["position"]["legal"]))
            plies += 1
            file.write(f"{game} {ply}\n{plies}\n")
            file.flush()
            os.fsync(file.fileno())


def check(server, file):
    stored = {}
    for line in file:
        game, *ply = line.split()
        if ply:
            stored[game] = max(stored.get(game, 0), int(ply[0]))
    for game, ply in stored.items():
        has = ask(server, f"/api/games/{game}")["position"]["ply"]
        if has < ply:
            raise SystemExit(f"{game} has {has} plies, and {ply} were acknowledged")
    print(f"{len(stored)} games with {sum(stored.values())} plies are there")


if sys.argv[1] == "--check":
    check(sys.argv[2], open(sys.argv[3]))
else:
    play(sys.argv[1], open(sys.argv[2], "w"))
