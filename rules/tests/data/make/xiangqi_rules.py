"""The Xiangqi of docs/rules.md, written slowly and plainly, as a second opinion beside pyffish.

A board is a list of 90 characters, index = file + 9 * (rank - 1), "." for an empty point, upper case for the first
side (Red), lower case for the second. Sides are 0 (first) and 1 (second). A move is a pair of indices.

Nothing here knows how Fairy-Stockfish judges a repetition: `chased`, `side_offences` and `judge` follow the words of
"repetition: asian" alone, so that the two can be compared.
"""

FILES = "abcdefghi"
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
ORTHOGONAL = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
SET = {"K": 1, "A": 2, "B": 2, "N": 2, "R": 2, "C": 2, "P": 5}
ADVISOR_POINTS = {"d1", "f1", "e2", "d3", "f3"}
ELEPHANT_POINTS = {"c1", "g1", "a3", "e3", "i3", "c5", "g5"}


def point(name):
    """Index of a square such as `e10`."""
    return FILES.index(name[0]) + 9 * (int(name[1:]) - 1)


def name(index):
    """Square of an index: 0 is `a1`, 89 is `i10`."""
    return FILES[index % 9] + str(index // 9 + 1)


def text(move):
    """A move as the project writes it, `b1c3`."""
    return name(move[0]) + name(move[1])


def parse(move):
    """The pair of indices of a move such as `b10c8`."""
    cut = 3 if move[2].isdigit() else 2
    return point(move[:cut]), point(move[cut:])


def side_of(piece):
    """0 for a piece of the first side, 1 for one of the second, None for an empty point."""
    return None if piece == "." else 0 if piece.isupper() else 1


def on_board(file, rank):
    """Whether a file and a rank, both from 0, name a point."""
    return 0 <= file < 9 and 0 <= rank < 10


def in_palace(side, file, rank):
    """Whether a point lies in the palace of a side."""
    return 3 <= file <= 5 and (0 <= rank <= 2 if side == 0 else 7 <= rank <= 9)


def crossed(side, index):
    """Whether a point lies beyond the river for a side."""
    return (index // 9 >= 5) if side == 0 else (index // 9 <= 4)


def _steps_and_rays():
    """Tables of what does not depend on other pieces: neighbours, rays, horse and elephant legs."""
    rays, horse, elephant, king, advisor, soldier = [], [], {}, {}, {}, {}
    for index in range(90):
        file, rank = index % 9, index // 9
        lines = []
        for df, dr in ORTHOGONAL:
            line, f, r = [], file + df, rank + dr
            while on_board(f, r):
                line.append(f + 9 * r)
                f, r = f + df, r + dr
            lines.append(line)
        rays.append(lines)
        jumps = []
        for df, dr in ORTHOGONAL:
            for turn in (-1, 1):
                f, r = file + 2 * df + turn * dr, rank + 2 * dr + turn * df
                if on_board(f, r):
                    jumps.append((file + df + 9 * (rank + dr), f + 9 * r))
        horse.append(jumps)
        for side in (0, 1):
            king[side, index] = [
                file + df + 9 * (rank + dr) for df, dr in ORTHOGONAL if in_palace(side, file + df, rank + dr)
            ]
            advisor[side, index] = [
                file + df + 9 * (rank + dr) for df, dr in DIAGONAL if in_palace(side, file + df, rank + dr)
            ]
            elephant[side, index] = [
                (file + df + 9 * (rank + dr), file + 2 * df + 9 * (rank + 2 * dr))
                for df, dr in DIAGONAL
                if on_board(file + 2 * df, rank + 2 * dr) and not crossed(side, 9 * (rank + 2 * dr))
            ]
            ahead = [(0, 1 if side == 0 else -1)]
            if crossed(side, index):
                ahead += [(-1, 0), (1, 0)]
            soldier[side, index] = [file + df + 9 * (rank + dr) for df, dr in ahead if on_board(file + df, rank + dr)]
    return rays, horse, elephant, king, advisor, soldier


RAYS, HORSE, ELEPHANT, KING, ADVISOR, SOLDIER = _steps_and_rays()


def destinations(board, origin, always_jumps=False):
    """Points that the piece on `origin` reaches, own pieces left out, the safety of its general not looked at."""
    piece = board[origin]
    kind, side = piece.upper(), side_of(piece)
    if kind == "K":
        reached = KING[side, origin]
    elif kind == "A":
        reached = ADVISOR[side, origin]
    elif kind == "B":
        reached = [to for eye, to in ELEPHANT[side, origin] if board[eye] == "."]
    elif kind == "N":
        reached = [to for leg, to in HORSE[origin] if board[leg] == "."]
    elif kind == "P":
        reached = SOLDIER[side, origin]
    elif kind == "R":
        reached = []
        for line in RAYS[origin]:
            for to in line:
                reached.append(to)
                if board[to] != ".":
                    break
    else:
        reached = []
        for line in RAYS[origin]:
            screens = 0
            for to in line:
                if board[to] == ".":
                    if screens == (1 if always_jumps else 0):
                        reached.append(to)
                    continue
                if screens == 1:
                    reached.append(to)
                    break
                screens = 1
    return [to for to in reached if side_of(board[to]) != side]


def attacked(board, target, by):
    """Whether a piece of side `by` attacks a point, as a capture; facing generals are not looked at here."""
    mine = str.upper if by == 0 else str.lower
    for line in RAYS[target]:
        screens = 0
        for index in line:
            piece = board[index]
            if piece == ".":
                continue
            if screens == 0 and piece == mine("r"):
                return True
            if screens == 1:
                if piece == mine("c"):
                    return True
                break
            screens = 1
    file, rank = target % 9, target // 9
    for df, dr in DIAGONAL:
        if not on_board(file + df, rank + dr) or board[file + df + 9 * (rank + dr)] != ".":
            continue
        for f, r in ((file + 2 * df, rank + dr), (file + df, rank + 2 * dr)):
            if on_board(f, r) and board[f + 9 * r] == mine("n"):
                return True
    for df, dr in ORTHOGONAL:
        f, r = file + df, rank + dr
        if on_board(f, r):
            origin = f + 9 * r
            if board[origin] == mine("p") and target in SOLDIER[by, origin]:
                return True
            if board[origin] == mine("k") and target in KING[by, origin]:
                return True
    for df, dr in DIAGONAL:
        f, r = file + df, rank + dr
        if on_board(f, r) and board[f + 9 * r] == mine("a") and target in ADVISOR[by, f + 9 * r]:
            return True
        f, r = file + 2 * df, rank + 2 * dr
        elephant = on_board(f, r) and board[f + 9 * r] == mine("b") and not crossed(by, target)
        if elephant and board[file + df + 9 * (rank + dr)] == ".":
            return True
    return False


def general(board, side):
    """Where the general of a side stands."""
    return board.index("K" if side == 0 else "k")


def facing(board):
    """Whether the two generals face each other on an open file."""
    red, black = board.index("K"), board.index("k")
    return red % 9 == black % 9 and all(board[index] == "." for index in range(red + 9, black, 9))


def in_check(board, side):
    """Whether the general of a side is attacked (facing generals count as an attack)."""
    return facing(board) or attacked(board, general(board, side), 1 - side)


def after(board, move):
    """The board after a move."""
    board = board[:]
    board[move[1]], board[move[0]] = board[move[0]], "."
    return board


def is_safe(board, move):
    """Whether the mover's general is safe after a move that its piece can make."""
    side = side_of(board[move[0]])
    return not in_check(after(board, move), side)


def legal_moves(board, side, always_jumps=False):
    """All legal moves by the pieces alone, sorted as text."""
    moves = [
        (origin, to)
        for origin in range(90)
        if side_of(board[origin]) == side
        for to in destinations(board, origin, always_jumps)
    ]
    return sorted((move for move in moves if is_safe(board, move)), key=text)


def agree(said, other, place):
    """Raise unless two answers on a position are the same."""
    if said != other:
        raise ValueError(f"{place}: {said} is not {other}")


def read_fen(fen):
    """Board and side to move of a FEN."""
    ranks, turn = fen.split()[:2]
    board = []
    for rank in reversed(ranks.split("/")):
        for sign in rank:
            board += ["."] * int(sign) if sign.isdigit() else [sign]
    if len(board) != 90:
        raise ValueError(f"not 90 points: {fen}")
    return board, 0 if turn == "w" else 1


def write_fen(board, side, quiet=0, number=1):
    """FEN of a board."""
    ranks = []
    for rank in range(9, -1, -1):
        line, empty = "", 0
        for piece in board[9 * rank : 9 * rank + 9]:
            if piece == ".":
                empty += 1
                continue
            line += (str(empty) if empty else "") + piece
            empty = 0
        ranks.append(line + (str(empty) if empty else ""))
    return f"{'/'.join(ranks)} {'wb'[side]} - - {quiet} {number}"


def can_stand(piece, index):
    """Whether a piece can ever stand on a point."""
    side, kind = side_of(piece), piece.upper()
    own = index if side == 0 else 89 - index
    if kind == "K":
        return in_palace(0, own % 9, own // 9)
    if kind == "A":
        return name(own) in ADVISOR_POINTS
    if kind == "B":
        return name(own) in ELEPHANT_POINTS
    if kind == "P":
        return own // 9 >= 5 or (own // 9 >= 3 and own % 9 % 2 == 0)
    return True


def valid(board, side):
    """Whether a board can be a start: kinds, points, one general each, the side that rests not in check."""
    for kind, most in SET.items():
        for piece in (kind, kind.lower()):
            count = board.count(piece)
            if count > most or (kind == "K" and count != 1):
                return False
    if not all(piece == "." or can_stand(piece, index) for index, piece in enumerate(board)):
        return False
    return not in_check(board, 1 - side)


def perft(board, side, depth, always_jumps=False):
    """Number of paths of exactly `depth` plies."""
    moves = legal_moves(board, side, always_jumps)
    if depth == 1:
        return len(moves)
    return sum(perft(after(board, move), 1 - side, depth - 1, always_jumps) for move in moves)
