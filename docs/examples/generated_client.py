"""Two guests play a game of Dou Shou Qi, with the client that openapi-python-client makes (openapi-python-client.yml beside this file).

    python3 generated_client.py http://localhost:8080
"""

import json
import random
import sys
from uuid import uuid4

import httpx
from qiguan_client import AuthenticatedClient, Client
from qiguan_client.api.accounts import create_guest
from qiguan_client.api.games import create_game, get_game, list_games, send_command
from qiguan_client.models import (
    AnswerCreated,
    AnswerDone,
    AnswerSnapshot,
    ClockFischer,
    CreateGame,
    ErrorBody,
    EventFrame,
    GameCommandJoin,
    GameCommandMove,
    GameEventEnded,
    GameView,
    Move,
    Plain,
    TimeControl,
)

SERVER = sys.argv[1]
# A stream that is quiet sends something every now and then, but seldom.
PATIENCE = httpx.Timeout(60)


def guest():
    made = create_guest.sync(client=Client(SERVER))
    return AuthenticatedClient(SERVER, made.token, timeout=PATIENCE)


def turns(client, game):
    """The positions in which this player is on the move, until the game is over."""
    path = f"/api/games/{game}/stream"
    with client.get_httpx_client().stream("GET", path, params={"as": "me"}) as answer:
        for line in filter(str.strip, answer.iter_lines()):
            message = json.loads(line)
            if "view" in message:
                position = AnswerSnapshot.from_dict(message).view.position
            elif "event" in message:
                frame = EventFrame.from_dict(message)
                if isinstance(frame.event, GameEventEnded):
                    return
                position = frame.position
            else:
                continue
            if position and position.legal:
                yield position


def best(moves):
    """What comes nearest to the den on d9; moves are read from their squares, such as a3a4."""

    def distance(move):
        return abs(ord(move[2]) - ord("d")) + abs(int(move[3:]) - 9)

    return min(moves, key=distance)


anna, ben = guest(), guest()
clock = ClockFischer(type_="fischer", initial_ms=600_000, increment_ms=5_000)
created = create_game.sync(
    client=anna,
    body=CreateGame(
        command=uuid4(),
        ruleset="doushouqi/ancientchess",
        time_control=TimeControl(clock=clock),
        seat="first",
        visibility="link",
    ),
)
assert isinstance(created, AnswerCreated), created
game = created.game
joined = send_command.sync(game, client=ben, body=GameCommandJoin(type_="join", data=Plain(game=game, command=uuid4())))
assert isinstance(joined, AnswerDone), joined

# A refusal is a value too.
late = Move(game=game, command=uuid4(), ply=1, move="a1a9")
refused = send_command.sync(game, client=anna, body=GameCommandMove(type_="move", data=late))
assert isinstance(refused, ErrorBody) and refused.error.code == "illegal_move", refused

luck = random.Random(7)
choices = [(anna, turns(anna, game), best), (ben, turns(ben, game), luck.choice)]
over = False
while not over:
    for player, own_turns, choose in choices:
        position = next(own_turns, None)
        if over := position is None:
            break
        move = Move(game=game, command=uuid4(), ply=position.ply + 1, move=choose(position.legal))
        played = send_command.sync(game, client=player, body=GameCommandMove(type_="move", data=move))
        assert isinstance(played, AnswerDone), played

view = get_game.sync(game, client=anna)
assert isinstance(view, GameView) and view.status == "ended", view
assert game in [listed.game for listed in list_games.sync(client=anna, limit=10).games]
print(json.dumps({"game": str(game), "plies": len(view.moves), "winner": view.outcome.winner, "reason": view.outcome.reason}))
