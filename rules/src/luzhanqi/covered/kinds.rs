//! What a covered piece could be: sets of kinds.

use crate::luzhanqi::piece::Piece;

/// A set of kinds, a bit each in the order of [`Piece::ALL`].
pub(super) type Kinds = u16;

/// Every kind.
pub(super) const ANY: Kinds = (1 << Piece::ALL.len()) - 1;

/// The set of one kind.
pub(super) const fn only(piece: Piece) -> Kinds {
    1 << piece.index()
}

/// The kind of a set that has no other.
pub(super) fn single(kinds: Kinds) -> Option<Piece> {
    let mut all = each(kinds);
    all.next().filter(|_| all.next().is_none())
}

/// The kinds of a set.
pub(super) fn each(kinds: Kinds) -> impl Iterator<Item = Piece> {
    Piece::ALL
        .into_iter()
        .filter(move |piece| kinds & only(*piece) != 0)
}

/// The kinds for which something holds.
pub(super) fn those(kinds: Kinds, holds: impl Fn(Piece) -> bool) -> Kinds {
    each(kinds)
        .filter(|piece| holds(*piece))
        .fold(0, |all, piece| all | only(piece))
}
