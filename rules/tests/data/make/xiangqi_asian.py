"""`repetition: asian` of docs/rules.md, derived from its words and from the published Asian (AXF) rules.

What docs/rules.md leaves open is read like this here, and the corpus says in a note where a case rests on it.

- A *threat* is a capture that would be legal if the chaser could move again at once, by a piece that is neither a
  General nor a Soldier, on a piece that is neither a General nor a Soldier on its own side of the river.
- It is *new* when the same piece could not already make the same threat before the chaser's move. A piece that just
  became unprotected is newly threatened too (AXF appendix: keeping a piece unprotected by blocking its protector is a
  chase), see `Reading.protection_counts`.
- The victim is *unprotected* when the taker could not legally be taken back on that point. A Horse's or Cannon's
  threat on a Chariot needs no such test.
- Between equal kinds, the threat is an offer to exchange when the victim could legally take the taker instead.
"""

from dataclasses import dataclass

from xiangqi_rules import (
    after,
    crossed,
    destinations,
    in_check,
    is_safe,
    legal_moves,
    read_fen,
    side_of,
    text,
)


@dataclass(frozen=True)
class Reading:
    """Choices where the words leave room; the defaults are those of the corpus."""

    protection_counts: bool = True
    legal_threats: bool = True
    legal_exchange: bool = True
    whole_game: bool = False


CORPUS = Reading()


def threatens(board, taker, victim, always_jumps=False, reading=CORPUS):
    """Whether the piece on `taker` could take the piece on `victim`, were its side to move."""
    if victim not in destinations(board, taker, always_jumps):
        return False
    return is_safe(board, (taker, victim)) or not reading.legal_threats


def protected(board, taker, victim, always_jumps=False):
    """Whether the victim's side could legally take back after this capture."""
    side = side_of(board[victim])
    taken = after(board, (taker, victim))
    return any(
        victim in destinations(taken, origin, always_jumps) and is_safe(taken, (origin, victim))
        for origin in range(90)
        if side_of(taken[origin]) == side
    )


def is_chase(board, taker, victim, always_jumps=False, reading=CORPUS):
    """Whether the piece on `taker` threatens the piece on `victim` in a way that counts, new or not."""
    hunter, prey = board[taker].upper(), board[victim].upper()
    if hunter in "KP" or prey == "K":
        return False
    if prey == "P" and not crossed(side_of(board[victim]), victim):
        return False
    if not threatens(board, taker, victim, always_jumps, reading):
        return False
    if hunter == prey:
        back = (victim, taker)
        if taker in destinations(board, victim, always_jumps) and (is_safe(board, back) or not reading.legal_exchange):
            return False
    if hunter in "NC" and prey == "R":
        return True
    return not protected(board, taker, victim, always_jumps)


def chased(before, move, always_jumps=False, reading=CORPUS):
    """Points of the enemy pieces that this move chases, each with its chasers, in the position after the move."""
    now = after(before, move)
    side = side_of(now[move[1]])
    prey = {}
    for taker in range(90):
        if side_of(now[taker]) != side or now[taker].upper() in "KP":
            continue
        origin = move[0] if taker == move[1] else taker
        for victim in destinations(now, taker, always_jumps):
            if side_of(now[victim]) != 1 - side or not is_chase(now, taker, victim, always_jumps, reading):
                continue
            if before[victim] == now[victim]:
                old = is_chase if reading.protection_counts else threatens
                if old(before, origin, victim, always_jumps, reading):
                    continue
            prey.setdefault(victim, []).append(taker)
    return prey


class Game:
    """A game from a start position: boards, moves and, for each board, which original piece stands where."""

    def __init__(self, fen, always_jumps=False):
        board, side = read_fen(fen)
        self.always_jumps = always_jumps
        self.boards, self.moves, self.first = [board], [], side

    def turn(self):
        """Side to move."""
        return (self.first + len(self.moves)) % 2

    def play(self, move):
        """Play a move, which must be legal by the pieces alone."""
        if move not in legal_moves(self.boards[-1], self.turn(), self.always_jumps):
            raise ValueError(f"{text(move)} is illegal")
        self.boards.append(after(self.boards[-1], move))
        self.moves.append(move)

    def occurrences(self):
        """Plies after which the present position stood, the present one included."""
        last = len(self.moves)
        return [ply for ply in range(last % 2, last + 1, 2) if self.boards[ply] == self.boards[last]]


def side_offences(game, begin, reading=CORPUS):
    """Per side, what the moves from ply `begin` to the end amount to: (always checks, pieces always chased)."""
    checks, prey = [True, True], [None, None]
    identity = {index: index for index, piece in enumerate(game.boards[begin]) if piece != "."}
    for ply in range(begin, len(game.moves)):
        before, move = game.boards[ply], game.moves[ply]
        side = side_of(before[move[0]])
        identity.pop(move[1], None)
        identity[move[1]] = identity.pop(move[0])
        checks[side] &= in_check(game.boards[ply + 1], 1 - side)
        now = {identity[victim] for victim in chased(before, move, game.always_jumps, reading)}
        prey[side] = now if prey[side] is None else prey[side] & now
    return checks, prey


def judge(game, limit=2, reading=CORPUS):
    """Verdict on the last move of the game: None when it brings no repetition that is judged."""
    seen = game.occurrences()
    if len(seen) <= limit:
        return None
    begin = seen[0] if reading.whole_game else seen[-2]
    checks, prey = side_offences(game, begin, reading)
    mover = side_of(game.boards[-1][game.moves[-1][1]])
    for name, guilty in (("perpetual_check", checks), ("perpetual_chase", [bool(some) for some in prey])):
        if guilty[mover] and not guilty[1 - mover]:
            return f"banned:{name}"
        if guilty[1 - mover] and not guilty[mover]:
            return "legal:offender_is_other"
        if guilty[0] and guilty[1]:
            return "draw"
    return "draw"
