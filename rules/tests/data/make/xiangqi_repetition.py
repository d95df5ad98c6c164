"""Write ../xiangqi-repetition.jsonl: how moves that close a cycle are judged, case by case.

    python xiangqi_repetition.py [id ...]

Each case is a start position, the moves up to the deciding one, that move and the verdict on it. The verdict comes from
`xiangqi_asian` (for `repetition: ban`, from counting) and must be the one written down here by hand. pyffish judges the
same line; where it comes to another end, the case carries a note, and the note must be there. Given ids, the script
writes nothing and prints what every ply of these cases checks and chases.

A case is written as `id | start | moves before the cycle ; the cycle | plies | verdict | comment`, with a second line
`note | NAME` from `NOTES` where pyffish differs. `plies` counts the deciding move; the cycle is repeated as often as that needs.
"""

import itertools
import json
import pathlib
import sys

import pyffish

from xiangqi_asian import Game, chased, judge
from xiangqi_rules import START, in_check, legal_moves, name, parse, read_fen, side_of, text, valid

HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 2
QUIET_LIMIT = 120
VERDICTS = {
    "check": "banned:perpetual_check",
    "chase": "banned:perpetual_chase",
    "ban": "banned:repetition",
    "on": "goes_on",
    "draw": "draw",
    "legal": "legal",
}

NOTES = {
    "ALONG": "docs/rules.md and AXF: a draw. pyffish counts the threat of a piece that draws back along the line of its own "
    "threat as a discovered one, but the same piece made the same threat before, as in AXF's example of a "
    "non-perpetual chase.",
    "LATEST": "docs/rules.md: its cycle reaches back to the previous occurrence only. pyffish looks back to the one before "
    "that; AXF's text sets no such bound.",
    "PINNED": "docs/rules.md and AXF: a piece that is pinned to its own general threatens nothing beside the line of its pin. "
    "pyffish asks only the victim's side for pins.",
    "UNPROTECTED": "docs/rules.md and AXF: taking a threatened piece's protection away is a new threat (AXF, appendix, "
    "the Soldier that keeps a Horse unprotected). pyffish finds this for pinned protectors only, not for cut off ones.",
    "BOTH": "docs/rules.md, with a threat on a piece that lost its protection new as in AXF's appendix: both sides chase. AXF's "
    "diagrams 39 to 41 let this pass for a side that is chased itself, and pyffish does not find it.",
    "IN_CHECK": "docs/rules.md, word for word: a piece whose side is in check can't take its equal instead, so its threat is no "
    "offer to exchange. pyffish asks for a pin; no AXF example that we know shows it.",
    "AFTER_CHECK": "docs/rules.md, word for word: in check the threat could not be carried out, so it is new once the check is "
    "answered. pyffish takes it for a standing threat; no AXF example that we know shows it.",
    "COVERED": "docs/rules.md and AXF: a General that would walk into an attack protects nothing. pyffish sees this only where "
    "the other General covers the point.",
    "MINOR": "docs/rules.md: only a Horse's or Cannon's threat on a Chariot counts when that is protected, and AXF 3.6 names no other. pyffish "
    "counts an Elephant's or Advisor's on Chariot, Cannon and Horse as well.",
}

CASES = """
check-second-time | 4k4/9/9/P8/9/9/9/3R5/9/5K3 w | ; d3e3 e10d10 e3d3 d10e10 | 5 | legal | a Chariot checks each time, but this is only the second occurrence
check-chariot-suffered | 4k4/9/9/P8/9/9/9/3R5/9/5K3 w | ; d3e3 e10d10 e3d3 d10e10 | 8 | on | the General flees from a perpetual check into the third occurrence
check-chariot | 4k4/9/9/P8/9/9/9/3R5/9/5K3 w | ; d3e3 e10d10 e3d3 d10e10 | 9 | check | perpetual check by a Chariot
check-chariot-second | 3k5/9/9/9/9/9/9/1C7/1r7/4K4 b | ; b2b1 e1e2 b1b2 e2e1 | 9 | check | perpetual check by the second side's Chariot
check-horse | 3N5/5k3/1P7/9/n8/9/9/9/4K4/9 b | ; f9f10 d10e8 f10f9 e8d10 | 8 | check | perpetual check by a Horse; the fleeing General lets another threat open, and check outranks chase
check-cannon | 4k1b2/6nC1/9/9/9/9/9/9/9/3K5 w | ; h9h10 e10e9 h10h9 e9e10 | 9 | check | perpetual check by a Cannon over two screens in turn
check-soldier | 9/9/3k5/9/9/9/5p3/5K3/6N2/9 w | ; f3e3 f4e4 e3f3 e4f4 | 8 | check | a Soldier may chase for ever but not check for ever
check-chariot-and-chariot | 3k5/4R4/8R/9/C8/9/9/9/9/4K4 w | ; e9e10 d10d9 i8i9 d9d8 i9i8 d8d9 e10e9 d9d10 | 16 | on | two Chariots check by turns, eight plies a cycle; the General moves into the third occurrence
check-two-chariots | 3k5/4R4/8R/9/C8/9/9/9/9/4K4 w | ; e9e10 d10d9 i8i9 d9d8 i9i8 d8d9 e10e9 d9d10 | 17 | check | perpetual check by two Chariots by turns, eight plies a cycle
check-two-horses | 6b2/3k5/4N4/3N5/9/5n3/9/9/5K3/9 w | ; d7b8 d9e9 b8d7 e9e10 e8c9 e10d10 c9e8 d10d9 | 17 | check | perpetual check by two Horses by turns
check-cannon-and-chariot | 3k2b2/4a2C1/R8/C8/9/9/8p/5K3/9/9 w | ; h9h10 d10d9 a8a9 d9d8 a9a8 d8d9 h10h9 d9d10 | 17 | check | perpetual check by a Cannon and a Chariot by turns
check-horse-uncovers-cannon | 9/9/3k5/9/5Nb2/3C5/9/4rA3/9/3K2n2 w | ; f6d7 d8e8 d7f6 e8d8 | 9 | check | the Horse checks itself and, as a screen, lets the Cannon check
check-mutual | 4k4/9/9/9/9/9/9/4n4/3KA3c/4C4 w | ; e2d3 e3g2 d3e2 g2e3 | 8 | draw | both sides check with every move: each answer removes or adds screens of both Cannons
check-mutual-other-side | 4k4/9/9/9/9/9/9/3An4/3K4c/4C4 b | ; e3g2 d3e2 g2e3 e2d3 | 8 | draw | both sides check with every move, closed by the first side
check-and-idle | 5k3/9/9/9/9/9/9/4K4/2n1R4/9 w | ; e3d3 c2e1 d3e3 e1c2 | 8 | draw | one check, one idle move
check-and-chase-by-turns | 3k5/9/7c1/9/9/9/9/7R1/9/5K3 w | ; h3d3 d10e10 d3h3 e10d10 | 8 | draw | one check, one chase
check-against-chase | 3k5/9/9/9/6b2/9/9/3r2R2/4K4/9 b | ; d3d2 e2e3 d2d3 e3e2 | 8 | on | the checked General opens a chase with every move; check outranks chase
check-against-chase-next | 3k5/9/9/9/6b2/9/9/3r2R2/4K4/9 b | ; d3d2 e2e3 d2d3 e3e2 | 9 | check | the checking side may not go on, whatever it suffers
check-another-way-out | 9/9/5k3/4N4/c8/9/9/3A5/4K4/c4A1r1 w | e7d9 f8f9 d9e7 f9f8 e7d9 f8f9 d9e7 f9f8 ; e7g6 f8f9 g6e7 f9f8 | 11 | check | after the game went on, another check leads back to a position that then comes a third time
chase-second-time | 9/4k4/2r6/9/9/9/2N6/9/9/3K5 w | ; c4b6 c8b8 b6c4 b8c8 | 4 | legal | a chase, but this is only the second occurrence
chase-horse-by-chariot | 9/4k4/2r6/9/9/9/2N6/9/9/3K5 w | ; c4b6 c8b8 b6c4 b8c8 | 8 | chase | a Chariot chases an unprotected Horse
chase-cannon-by-chariot | 3k5/9/8c/9/9/9/9/9/7R1/5K3 w | ; h2i2 i8h8 i2h2 h8i8 | 9 | chase | a Chariot chases an unprotected Cannon over two files
chase-cannon-with-a-check | 9/5k3/5a3/1n7/9/9/9/4K4/2r6/2C6 w | ; c1f1 c2f2 f1c1 f2c2 | 8 | chase | the chased Cannon checks every other move
chase-advisor-by-chariot | 3R5/9/3a1k2b/9/9/2B5P/9/9/4K4/1p7 b | ; d8e9 d10e10 e9d8 e10d10 | 8 | chase | a Chariot chases an unprotected Advisor
chase-elephant-by-chariot | 2b6/3k5/9/9/2R6/9/9/5K3/9/9 b | ; c10a8 c6a6 a8c10 a6c6 | 8 | chase | a Chariot chases an unprotected Elephant
chase-crossed-soldier | 9/2PN5/3k5/9/R8/9/9/5A1R1/p8/5K3 b | ; a2b2 a6b6 b2a2 b6a6 | 8 | chase | a Chariot chases a Soldier that has crossed
chase-crossed-soldier-by-horse | 9/5k3/9/2n6/3P5/9/9/9/9/3K5 b | ; c7b5 d6e6 b5c7 e6d6 | 9 | chase | a Horse chases a Soldier that has crossed
chase-elephant-by-cannon | 9/4k4/5a3/P8/2b6/9/9/2p6/C8/5KB2 w | ; a2c2 c6a8 c2a2 a8c6 | 9 | chase | a Cannon chases an unprotected Elephant over two screens
chase-horse-by-cannon | 5k3/9/9/9/9/9/9/1n2K4/9/2B4C1 w | ; h1h3 b3a1 h3h1 a1b3 | 9 | chase | a Cannon chases an unprotected Horse
chase-cannon-by-horse | 4k4/9/9/9/4C4/5n3/9/9/9/5K3 b | ; f5g7 e6h6 g7f5 h6e6 | 9 | chase | a Horse chases an unprotected Cannon
chase-cannon-by-horse-suffered | 4k4/9/9/9/4C4/5n3/9/9/9/5K3 b | ; f5g7 e6h6 g7f5 h6e6 | 8 | on | the chased Cannon moves into the third occurrence
chase-chariot-by-horse | 9/3k5/9/3n5/5R3/9/9/5K3/9/9 w | ; f6f7 d7e9 f7f6 e9d7 | 8 | chase | a Horse chases an unprotected Chariot
chase-protected-chariot-by-horse | 6b2/9/3k4n/4n4/1RR6/9/3c5/3K5/9/2B2p3 w | ; c6f6 e7d5 f6c6 d5e7 | 8 | chase | a Horse chases a protected Chariot
chase-chariot-by-cannon | 4C1c2/9/3k5/9/R1b6/9/9/9/5K3/9 b | ; g10g6 a6a10 g6g10 a10a6 | 9 | chase | a Cannon chases an unprotected Chariot
chase-protected-chariot-by-cannon | 4C1c2/9/3k5/9/R1b6/9/9/9/5K3/R8 b | ; g10g6 a6a10 g6g10 a10a6 | 9 | chase | a Cannon chases a Chariot that another Chariot protects
chase-protected-chariot-suffered | 4C1c2/9/3k5/9/R1b6/9/9/9/5K3/R8 b | ; g10g6 a6a10 g6g10 a10a6 | 8 | on | the protected Chariot moves into the third occurrence
chase-blocked-horse-by-horse | 3k5/9/9/4n1p2/4p2N1/9/9/9/9/5K3 w | ; h6f5 e7g8 f5h6 g8e7 | 9 | chase | a Horse chases a Horse whose way to it is blocked both times
chase-protected-horse | 9/4k4/9/9/9/r2N1R3/9/3K5/9/9 w | ; d5f4 a5a4 f4d5 a4a5 | 8 | draw | a Chariot chases a Horse that is protected both times
chase-half-protected-horse | 3ak4/4n3R/9/4p4/9/9/9/9/5K3/9 b | ; e9g8 i9i8 g8e9 i8i9 | 8 | draw | a Chariot chases a Horse that is protected every other time
chase-half-protected-advisor | 9/3k5/9/9/C8/9/9/3A5/5K3/3r5 w | ; d3e2 d1e1 e2d3 e1d1 | 8 | draw | a Chariot chases an Advisor that its General protects every other time
chase-and-idle | 3k5/9/1c7/9/9/R8/9/9/9/5K3 w | ; a5b5 d10d9 b5a5 d9d10 | 8 | draw | one chase, one idle move
chase-two-horses-in-turn | 3k5/9/nn7/9/9/R8/9/9/9/5K3 w | ; a5b5 d10d9 b5a5 d9d10 | 8 | draw | every move chases, but two Horses in turn
chase-two-kinds-in-turn | 3k5/9/nc7/9/9/R8/9/9/9/5K3 w | ; a5b5 d10d9 b5a5 d9d10 | 8 | draw | every move chases, but a Cannon and a Horse in turn
chase-one-each | 5k3/9/6nc1/9/9/9/9/9/9/4K2R1 b | ; g8h6 h1g1 h6g8 g1h1 | 8 | draw | each side chases every other move
chase-six-plies | 3k5/9/8c/9/9/9/9/7R1/9/5K3 w | ; h3i3 i8g8 i3g3 g8h8 g3h3 h8i8 | 12 | on | a cycle of six plies over three files, closed by the chased Cannon
chase-six-plies-banned | 3k5/9/8c/9/9/9/9/7R1/9/5K3 w | ; h3i3 i8g8 i3g3 g8h8 g3h3 h8i8 | 13 | chase | a cycle of six plies over three files
chase-eight-plies | 3k5/9/8c/9/9/9/9/7R1/9/4K4 w | ; h3i3 i8g8 i3g3 g8f8 g3f3 f8h8 f3h3 h8i8 | 17 | chase | a cycle of eight plies over four files
chase-by-two-chariots | 5k3/9/8c/9/9/R8/9/9/9/3K3R1 w | ; h1i1 i8g8 a5g5 g8h8 i1h1 h8a8 g5a5 a8i8 | 16 | on | two Chariots chase one Cannon by turns, eight plies a cycle, closed by the Cannon
chase-by-two-chariots-banned | 5k3/9/8c/9/9/R8/9/9/9/3K3R1 w | ; h1i1 i8g8 a5g5 g8h8 i1h1 h8a8 g5a5 a8i8 | 17 | chase | two Chariots chase one Cannon by turns, eight plies a cycle
chase-by-horse-then-cannon | 4k4/6n2/9/5R2c/9/9/9/9/5K3/9 w | ; f7b7 g9h7 b7f7 h7g9 | 8 | chase | a Horse and, once it is the screen, a Cannon chase one Chariot
chase-by-horse-then-chariot | 9/3k5/4R3b/4P4/6N2/9/9/9/5K3/9 b | ; i8g10 g6h8 g10i8 h8g6 | 8 | chase | a Horse and a Chariot whose line it opens chase one Elephant
chase-by-chariot-then-horse | 9/9/3ak1r2/9/9/9/9/B5n2/5K2C/9 w | ; i2g2 g3h5 g2i2 h5g3 | 8 | chase | a Chariot whose line the Horse opens and the Horse chase one Cannon
discovered-by-soldier | 4k4/9/9/3c5/2P6/3p5/3N5/9/5K3/1p7 w | ; c6d6 d5c5 d6c6 c5d5 | 8 | chase | Soldiers step into and out of the screen's place of their Cannon, which chases a Horse
discovered-by-general | 9/3ck3P/9/9/5C3/9/9/9/5K3/9 w | ; f6f9 e9e10 f9f6 e10e9 | 8 | chase | the General steps into and out of the screen's place of a Cannon that chases a Soldier
discovered-by-horse | 6b2/9/5k3/6n2/9/9/1p4CN1/9/1p1K5/1p7 b | ; g7i6 h4g6 i6g7 g6h4 | 8 | chase | the Horse and the enemy Horse are by turns the screen of a Cannon that chases an Elephant
discovered-elephant | 4k4/9/9/9/9/2r6/3R5/4B4/9/3K5 w | ; d4f4 c5g5 f4d4 g5c5 | 9 | chase | a Chariot opens an Elephant's eyes by turns: the Elephant chases an unprotected Chariot
discovered-elephant-protected | 4k4/9/9/9/2p3p2/2r6/3R5/4B4/9/3K5 w | ; d4f4 c5g5 f4d4 g5c5 | 8 | draw | the same with the Chariot protected both times; only Horse and Cannon chase a protected Chariot
note | MINOR
pinned-defender | 4k4/9/9/9/9/9/3nr4/9/R8/4RK3 w | ; a2a4 d4c2 a4a2 c2d4 | 9 | chase | the Horse's protector is pinned to its General on the file, so it protects nothing
pinned-defender-suffered | 4k4/9/9/9/9/9/3nr4/9/R8/4RK3 w | ; a2a4 d4c2 a4a2 c2d4 | 8 | on | the Horse with the pinned protector moves into the third occurrence
free-defender | 3k5/9/9/9/9/9/3nr4/9/R8/4RK3 w | ; a2a4 d4c2 a4a2 c2d4 | 8 | draw | the same with a protector that is free to take back once
facing-defender | 6b2/9/3k1a3/7P1/6R2/9/7p1/9/4K4/9 b | ; g10e8 g6e6 e8g10 e6g6 | 8 | chase | the General may not take back on the open file of the other General
facing-defender-chariots | 5k3/5r3/P2aP4/9/9/1nR6/5r3/5A3/4K4/9 w | ; e2f2 f4d4 f2e2 d4f4 | 8 | chase | Chariots by turns chase an Advisor; its General may not take back on the open file of the other one
pinned-attacker-cannon | 3r5/3k5/9/9/2n6/9/3c5/3K5/3p5/3A5 b | ; d2e2 d3e3 e2d2 e3d3 | 8 | draw | over the enemy General a Cannon threatens an Advisor, but it stands between the Generals
note | PINNED
pinned-attacker-along | 3k5/4r4/9/9/c8/4R4/9/9/9/4K4 w | ; e5e6 a6a5 e6e5 a5a6 | 8 | draw | a pinned Chariot moves along the file of its pin and threatens nothing beside it
note | PINNED
pinned-attacker-along-by-cannon | 3k5/4c4/9/4p4/c8/4R4/9/9/9/4K4 w | ; e5e6 a6a5 e6e5 a5a6 | 8 | draw | a Chariot pinned by a Cannon moves along the file of its pin
note | PINNED
line-back-attacked | 3a5/4k4/9/p3N4/1n7/9/1R7/9/9/3AK4 b | ; b6d5 b4b5 d5b6 b5b4 | 8 | draw | the Horse steps into the line of the Chariot, which draws back
note | ALONG
general-chases | 2b6/9/P4k3/9/9/9/9/4R4/9/3Kc4 b | ; e1e2 d1d2 e2e1 d2d1 | 8 | draw | a General may chase for ever
soldier-chases | 3ak4/9/4r4/4P4/9/9/9/9/5C3/3K5 b | ; e8d8 e7d7 d8e8 d7e7 | 8 | draw | a Soldier may chase for ever
general-and-horse-chase | 4k4/9/9/2r6/9/9/3N5/9/1p1Kc4/2B6 b | ; c7c4 d4e6 c4c7 e6d4 | 8 | draw | the Horse's chase is every other move, the General's do not count
soldier-and-chariot-chase | 9/5k3/4r4/9/9/1R7/9/3K5/3pA4/9 w | ; b5f5 e8f8 f5b5 f8e8 | 8 | draw | the Chariot's chase is every other move, the Soldier's do not count
uncrossed-soldier | 9/4k4/9/9/6r2/9/P7r/n2K5/9/9 b | ; g6g4 d3d2 g4g6 d2d3 | 8 | draw | threats on a Soldier on its own side never count
uncrossed-soldier-by-chariot | 5k3/6r2/9/5Pn2/9/2r3P2/2p6/4B4/3K5/1N7 w | ; b1c3 g7f5 c3b1 f5g7 | 8 | draw | a Horse opens the line of a Chariot on a Soldier on its own side
uncrossed-soldier-by-horse | 2r5P/3Nk4/9/9/2p6/4N4/9/4n3B/9/1c2K4 b | ; e3g4 e1d1 g4e3 d1e1 | 8 | draw | the General's steps free its Horse from a pin, then from a check; it threatens a Soldier on its own side
exchange-chariots | 3k5/9/9/9/1r7/9/9/1R7/9/5K3 w | ; b3d3 b6d6 d3b3 d6b6 | 8 | draw | a Chariot offers itself to a Chariot
exchange-cannons | 9/1C2kc3/9/9/9/6p2/9/3K2p2/9/9 w | ; b9b3 f9f3 b3b9 f3f9 | 8 | draw | a Cannon offers itself to a Cannon over the same screens
exchange-pinned-chariot | 4k4/9/9/9/R8/4r4/9/9/9/3KR4 w | ; a6a5 e5e6 a5a6 e6e5 | 9 | chase | the chased Chariot is pinned by another one and can't take instead: no exchange
exchange-pinned-chariot-suffered | 4k4/9/9/9/R8/4r4/9/9/9/3KR4 w | ; a6a5 e5e6 a5a6 e6e5 | 8 | on | the pinned Chariot moves into the third occurrence
exchange-pinned-by-cannon | 4k4/4a4/9/9/R8/4r4/9/9/9/3KC4 w | ; a6a5 e5e6 a5a6 e6e5 | 9 | chase | the chased Chariot is pinned by a Cannon and can't take instead
exchange-free-chariot | 5k3/9/9/9/R8/4r4/9/9/9/3KR4 w | ; a6a5 e5e6 a5a6 e6e5 | 8 | draw | the same with a Chariot that is free to take instead
mutual-chariot-and-cannon | 1c7/4n4/4k4/9/6b2/1n7/1R7/1R7/5K3/9 w | ; b4g4 b10g10 g4b4 g10b10 | 8 | draw | a Chariot chases a Horse while a Cannon chases it
mutual-horse-and-chariot | 2c6/9/b4k3/6C2/2r5P/7r1/8N/4K4/9/9 w | ; i4g3 h5h6 g3i4 h6h5 | 8 | draw | both sides chase with every move
mutual-cannon-and-chariots | 6C2/9/3k5/1r7/9/9/4N4/9/2c1K4/5Ar2 w | ; e4g3 b7g7 g3e4 g7b7 | 8 | draw | a Cannon chases a Chariot, Chariots chase the Cannon
mutual-by-unprotecting | 9/4k4/6n2/2c6/9/9/1C4rN1/6N2/3K5/9 w | ; g3e4 c7c4 e4g3 c4c7 | 8 | draw | a Cannon chases a Chariot, and the other Cannon takes the protection of a Horse away each time
note | BOTH
mutual-horse-among-chariots | 1r7/n3k4/3C5/9/9/R2Nc1R2/9/c8/9/5K3 w | ; d5b4 b10b5 b4d5 b5b10 | 8 | draw | both sides chase with every move; the Horse cuts off a protecting Chariot once
note | BOTH
line-towards | 3k5/9/7c1/9/9/9/9/9/7R1/5K3 w | ; h2h3 h8h7 h3h2 h7h8 | 8 | draw | a Chariot goes to and fro on the line of its own threat: no new threat
line-back | 9/9/3k5/9/9/9/5n3/6R2/9/4K4 w | ; g3g4 f4g6 g4g3 g6f4 | 8 | draw | the Horse steps into the Chariot's line, so drawing back is no new threat
note | ALONG
line-forth-elephant | 9/3k5/b8/9/9/9/2R6/9/4K4/9 w | ; c4c8 a8c10 c8c4 c10a8 | 8 | draw | an Elephant steps into the Chariot's line every other move
note | ALONG
line-cannon | 4k4/9/2Cab4/2P6/9/9/1p7/5K3/6n2/9 w | ; c8b8 e8c6 b8c8 c6e8 | 8 | draw | a Cannon steps aside on the line of its own threat
note | ALONG
unprotecting-soldier | c3k4/9/9/9/N8/9/1p7/R4K3/9/9 b | ; b4a4 a6c5 a4b4 c5a6 | 8 | chase | a Horse chases a Soldier, and a Chariot threatens it, too, once it has no protector
unprotecting-advisor | 4kC3/2P1ar3/9/9/9/9/5R3/9/9/5K3 b | ; e9f8 f4f5 f8e9 f5f4 | 8 | on | the Advisor's step cuts off the Cannon's protector, its next one threatens the Cannon itself
note | UNPROTECTED
unprotecting-chariot | 9/3k5/9/9/2b6/1R2p4/1pR2c3/B3K4/9/9 w | ; c4c3 f4h4 c3c4 h4f4 | 8 | on | a Chariot as a screen lets a Cannon protect the Soldier: it steps away, then threatens the Soldier itself
note | UNPROTECTED
exchange-in-check-horses | 9/4k4/9/9/n8/9/1N7/9/3r1K3/3A5 w | ; f2f1 d2d4 f1f2 d4d2 | 8 | chase | a Chariot chases a Horse, then gives check, so that this Horse can't take the Horse that threatens it
note | IN_CHECK
exchange-in-check-chariots | 3k5/9/2P2a3/8R/P8/8r/9/6n2/9/5K3 w | ; f1f2 g3h5 f2f1 h5g3 | 8 | chase | a Horse chases a Chariot, then gives check, so that this Chariot can't take the one that threatens it
note | IN_CHECK
unprotecting-by-advisor | R2P5/4a4/2n1k4/9/9/9/6p2/1N7/9/5K3 b | ; c8b10 a10a8 b10c8 a8a10 | 8 | on | the Horse cuts off the protector of a Soldier that the Advisor threatens
note | UNPROTECTED
after-check-chariot | 4k4/9/9/9/4c4/5N3/3p3R1/9/9/5K3 b | ; e6f6 f5h6 f6e6 h6f5 | 8 | chase | the Horse chases a Soldier, and when it shields from a check, its Chariot threatens the same one
note | AFTER_CHECK
after-check-and-pin | 4k4/9/4n4/8n/9/9/9/4R4/3K2r2/9 w | ; d2d3 g2g3 d3d2 g3g2 | 8 | on | the General steps out of a check and out of a pin of its Chariot, which threatens a Horse
note | AFTER_CHECK
covered-defender-cannons | 4ck3/9/9/9/9/5c3/4p4/7p1/3KA4/2B6 b | ; f5e5 d2d3 e5f5 d3d2 | 8 | on | Cannons chase an Advisor by turns that its General may not avenge, since the other Cannon covers the point
note | COVERED
covered-defender-chariots | 9/5k3/9/5r2N/9/7C1/6r2/4KA3/9/9 b | ; g4f4 h5h1 f4g4 h1h5 | 8 | on | Chariots chase an Advisor by turns that its General may not avenge, since the other Chariot covers the point
note | COVERED
after-check-horse | 9/4k4/4n1N2/2R6/3P5/9/6P2/4K4/9/3A5 b | ; e9f9 g8e7 f9e9 e7g8 | 8 | on | the General steps out of a check and out of a pin of its Horse, which threatens a Chariot
note | AFTER_CHECK
latest-chase | 5k3/9/9/9/9/4n4/9/2R6/9/3K5 w | d1d2 f10f9 d2d1 f9f10 ; c3e3 e5c4 e3c3 c4e5 | 8 | on | first an idle cycle, then a chase: only the latest cycle counts
note | LATEST
latest-chase-banned | 5k3/9/9/9/9/4n4/9/4R4/9/3K5 b | e5c4 d1e1 c4e5 e1d1 ; e5c4 e3c3 c4e5 c3e3 | 8 | chase | first a cycle with idle moves, then a chase: only the latest cycle counts
note | LATEST
latest-idle | 5k3/9/9/9/9/4n4/9/2R6/9/3K5 w | c3e3 e5c4 e3c3 c4e5 ; d1d2 f10f9 d2d1 f9f10 | 8 | draw | first a chase, then an idle cycle: only the latest cycle counts
latest-check | 4k4/9/9/P8/9/9/9/3R5/9/5K3 w | f1f2 e10e9 f2f1 e9e10 ; d3e3 e10d10 e3d3 d10e10 | 8 | on | first an idle cycle, then perpetual check: only the latest cycle counts
note | LATEST
latest-check-idle | 4k4/9/9/P8/9/9/9/3R5/9/5K3 w | d3e3 e10d10 e3d3 d10e10 ; f1f2 e10e9 f2f1 e9e10 | 8 | draw | first perpetual check, then an idle cycle: only the latest cycle counts
fourth-occurrence | 5k3/9/9/9/9/4n4/9/2R6/9/3K5 w | c3e3 e5c4 e3c3 c4e5 c3e3 e5c4 e3c3 c4e5 ; c3c5 e5d3 c5c3 d3e5 | 12 | on | the game went on, and another chase leads to the fourth occurrence: it goes on again
fifth-occurrence | 5k3/9/9/9/9/4n4/9/2R6/9/3K5 w | c3e3 e5c4 e3c3 c4e5 c3e3 e5c4 e3c3 c4e5 ; c3c5 e5d3 c5c3 d3e5 | 16 | on | the same once more, the fifth occurrence
fifth-occurrence-banned | 5k3/9/9/9/9/4n4/9/2R6/9/3K5 w | c3e3 e5c4 e3c3 c4e5 c3e3 e5c4 e3c3 c4e5 ; c3c5 e5d3 c5c3 d3e5 | 17 | chase | the chaser has run out of ways
fourth-occurrence-idle | 5k3/9/9/9/9/4n4/9/2R6/9/3K5 w | c3e3 e5c4 e3c3 c4e5 c3e3 e5c4 e3c3 c4e5 ; d1d2 f10f9 d2d1 f9f10 | 12 | draw | the game went on, and an idle cycle leads to the fourth occurrence
idle-start | start | ; b1c3 b10c8 c3b1 c8b10 | 8 | draw | Horses go to and fro from the start position, whose first occurrence is the start
idle-eight-plies | 3k5/9/9/9/9/9/9/R8/9/5K3 w | ; a3a4 d10d9 a4a5 d9e9 a5a4 e9e10 a4a3 e10d10 | 16 | draw | an idle cycle of eight plies
ban-start | start | ; b1c3 b10c8 c3b1 c8b10 | 8 | ban | the start position would come a third time
ban-start-second-time | start | ; b1c3 b10c8 c3b1 c8b10 | 7 | legal | the second occurrence is allowed
ban-cannon | start | ; h3h9 a10a9 h9h3 a9a10 | 8 | ban | Cannons that always jump go to and fro
ban-check | 4k4/9/9/9/9/9/9/4R4/9/5K3 b | ; e10d10 e3d3 d10e10 d3e3 | 8 | ban | perpetual check ends by the ban, too
ban-chase | 9/4k4/2r6/9/9/9/2N6/9/9/3K5 w | ; c4b6 c8b8 b6c4 b8c8 | 8 | ban | so does a chase
ban-generals | 4k4/9/9/9/9/9/9/9/9/3K5 w | ; d1d2 e10e9 d2d1 e9e10 | 8 | ban | bare Generals
ban-eight-plies | 3k5/9/9/9/9/9/9/R8/9/5K3 w | ; a3a4 d10d9 a4a5 d9e9 a5a4 e9e10 a4a3 e10d10 | 16 | ban | a cycle of eight plies
ban-two-ways | 3k5/9/9/9/9/9/9/R8/9/5K3 w | a3a4 d10d9 a4a3 d9d10 ; a3b3 d10e10 b3a3 e10d10 | 8 | ban | the third occurrence by another way than the second
"""


def read_cases():
    """The cases as written above."""
    cases = []
    for line in CASES.strip().splitlines():
        line = line.strip()
        if not line:
            continue
        parts = [part.strip() for part in line.split("|")]
        if parts[0] == "note":
            cases[-1]["note"] = NOTES[parts[1]]
            continue
        title, fen, moves, plies, verdict, comment = parts
        lead, cycle = [part.split() for part in moves.split(";")]
        moves = list(itertools.islice(itertools.chain(lead, itertools.cycle(cycle)), int(plies)))
        ruleset = "xiangqi/grunfeld" if title.startswith("ban-") else "xiangqi/standard"
        fen = START if fen == "start" else fen + " - - 0 1"
        case = {"id": title, "ruleset": ruleset, "comment": comment, "fen": fen, "moves": moves[:-1]}
        cases.append(case | {"move": moves[-1], "verdict": VERDICTS[verdict], "note": None})
    return cases


def verdict_on(game, bans):
    """Verdict on the last move of a game; `bans` for the rule that no position comes a third time."""
    if bans:
        return "banned:repetition" if len(game.occurrences()) > LIMIT else "legal"
    verdict = judge(game, LIMIT)
    return {None: "legal", "legal:offender_is_other": "goes_on"}.get(verdict, verdict)


def oracle_on(case, moves):
    """What pyffish says after all moves, and which verdicts that allows."""
    variant = "grunfeld" if case["ruleset"].endswith("grunfeld") else "xiangqi"
    ends, value = pyffish.is_optional_game_end(variant, case["fen"], moves)
    if variant == "grunfeld":
        return {"ends": ends}, "banned:repetition" if ends else "legal"
    if not ends:
        return {"ends": False, "loses": None}, "legal"
    loses = None if value == 0 else "mover" if value > 0 else "other"
    return {"ends": True, "loses": loses}, {None: "draw", "mover": "banned", "other": "goes_on"}[loses]


def replay(case):
    """Play a case, raise unless it is a game up to the deciding move, and give the game after that move."""
    jumps = bans = case["ruleset"].endswith("grunfeld")
    board, side = read_fen(case["fen"])
    if not valid(board, side):
        raise ValueError(f"{case['id']}: not a start position")
    game, quiet = Game(case["fen"], jumps), 0
    moves = case["moves"] + [case["move"]]
    for ply, move in enumerate(moves, 1):
        pair = parse(move)
        if pair not in legal_moves(game.boards[-1], game.turn(), jumps):
            raise ValueError(f"{case['id']}: ply {ply} {move} is illegal")
        quiet = 0 if game.boards[-1][pair[1]] != "." else quiet + 1
        game.play(pair)
        if ply < len(moves) and verdict_on(game, bans) not in ("legal", "goes_on"):
            raise ValueError(f"{case['id']}: {verdict_on(game, bans)} at ply {ply} already")
        if quiet >= QUIET_LIMIT:
            raise ValueError(f"{case['id']}: quiet limit at ply {ply}")
    return game


def only_bans_left(case, game):
    """Whether all moves in the place of the deciding one are banned, so that the game ends before it."""
    bans = case["ruleset"].endswith("grunfeld")
    last = game.moves.pop()
    board = game.boards.pop()
    others = False
    for move in legal_moves(game.boards[-1], game.turn(), game.always_jumps):
        game.play(move)
        others |= not verdict_on(game, bans).startswith("banned")
        game.boards.pop()
        game.moves.pop()
    game.boards.append(board)
    game.moves.append(last)
    return not others


def look(case):
    """Print what each ply of a case checks and chases."""
    game = replay(case)
    print(case["id"], case["fen"], case["comment"])
    for ply, move in enumerate(game.moves):
        before, now = game.boards[ply], game.boards[ply + 1]
        check = " check" if in_check(now, 1 - side_of(now[move[1]])) else ""
        prey = {
            now[victim] + name(victim): [now[taker] + name(taker) for taker in takers]
            for victim, takers in chased(before, move, game.always_jumps).items()
        }
        print(f"  {ply + 1:2} {now[move[1]]}{text(move)}{check}", prey or "")
    print("  ", verdict_on(game, case["ruleset"].endswith("grunfeld")), oracle_on(case, list(map(text, game.moves))))


def main():
    """Check every case and write them."""
    pyffish.load_variant_config((HERE / "grunfeld.ini").read_text())
    cases, lines, faults = read_cases(), [], []
    if sys.argv[1:]:
        for case in cases:
            if case["id"] in sys.argv[1:]:
                look(case)
        return
    for case in cases:
        try:
            game = replay(case)
        except ValueError as fault:
            faults.append(str(fault))
            continue
        verdict = verdict_on(game, case["ruleset"].endswith("grunfeld"))
        if verdict != case["verdict"]:
            faults.append(f"{case['id']}: {case['verdict']} is written, {verdict} follows")
        if verdict.startswith("banned") and only_bans_left(case, game):
            faults.append(f"{case['id']}: no move is left but banned ones")
        case["oracle"], likewise = oracle_on(case, case["moves"] + [case["move"]])
        if verdict.startswith(likewise) == bool(case["note"]):
            faults.append(f"{case['id']}: {verdict}, pyffish {likewise}, note {case['note']}")
        note = {"note": case.pop("note")}
        lines.append(json.dumps(case | note if note["note"] else case) + "\n")
    ids = [case["id"] for case in cases]
    faults += [f"{each} twice" for each in set(ids) if ids.count(each) > 1]
    if faults:
        sys.exit("\n".join(faults))
    (HERE.parent / "xiangqi-repetition.jsonl").write_text("".join(lines))
    for verdict in VERDICTS.values():
        print(verdict, sum(case["verdict"] == verdict for case in cases))
    print(len(cases), "cases,", sum('"note"' in line for line in lines), "with a note")


if __name__ == "__main__":
    main()
