//! Perfect play in Dou Shou Qi with at most four animals on the board.
//!
//! A *class* holds the positions of some animals, or of such as behave alike (`material`); each has its place there (`layout`). `solve`
//! works a class out from the classes with fewer animals, `packed` is what is stored of it, `check` derives every value again. [`Tables`]
//! are the classes of a rule set, [`Endings`] those of the three named ones.
//!
//! Values are those of a game in which the last move captured: no position has occurred before, and no ply without a capture is behind it.
//! A player who follows falling plies then repeats nothing and is done before the quiet limit, so a win stays one whatever may be banned.
//! A draw is what neither side can force. Since positions may not come back for ever, the side that runs out of other moves first can still
//! lose one: between equals that is how about half of them end. The search sees it coming, no table does. With other options there are no tables.

mod cache;
mod check;
mod choice;
mod endings;
mod layout;
mod material;
mod packed;
mod probe;
mod solve;
mod value;

pub use check::{Checked, Fault};
pub(crate) use choice::TableChoice;
pub use endings::Endings;
pub use layout::MOST_PIECES;
pub use packed::{Source, TableError};
pub use probe::{ClassInfo, SMALL, Tables};
pub use value::{MOST_PLIES, Value};
