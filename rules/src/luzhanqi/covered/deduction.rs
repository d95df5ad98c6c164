//! What follows for covered pieces from how many of each kind a side has.
//!
//! Only two conclusions are drawn, again and again until neither says anything new: of a kind that is all accounted for no other piece
//! is one, and a Flag that can stand on one point alone stands there. So nothing that is true is ever ruled out, while some of what is
//! left may be impossible together: two pieces that could only be the last Engineer or the last Grenade do not keep a third one from
//! being either.

use super::{Covered, kinds::only};
use crate::{
    luzhanqi::{board::each_point, piece::Piece},
    seat::Seat,
};

impl Covered {
    /// Draws the conclusions from how many of each kind there are; false if nothing at all could stand so.
    pub(super) fn deduce(&mut self) -> bool {
        loop {
            let mut changed = false;
            for seat in Seat::ALL {
                let own = self.occupied[seat.index()];
                for piece in Piece::ALL {
                    let alone = each_point(own)
                        .filter(|point| self.kinds[usize::from(*point)] == only(piece))
                        .count();
                    let known = alone + usize::from(self.lost[seat.index()][piece.index()]);
                    if known > piece.count() {
                        return false;
                    }
                    for point in each_point(own) {
                        let kinds = &mut self.kinds[usize::from(point)];
                        if known == piece.count()
                            && *kinds & only(piece) != 0
                            && *kinds != only(piece)
                        {
                            *kinds &= !only(piece);
                            changed = true;
                        }
                        if *kinds == 0 {
                            return false;
                        }
                    }
                }
                changed |= self.find_flag(seat);
            }
            if !changed {
                return true;
            }
        }
    }

    /// A Flag that can stand on one point alone stands there.
    fn find_flag(&mut self, seat: Seat) -> bool {
        let flag = only(Piece::Flag);
        let mut could = each_point(self.occupied[seat.index()])
            .filter(|point| self.kinds[usize::from(*point)] & flag != 0);
        let (Some(point), None) = (could.next(), could.next()) else {
            return false;
        };
        let found = self.kinds[usize::from(point)] != flag;
        self.kinds[usize::from(point)] = flag;
        found
    }
}
