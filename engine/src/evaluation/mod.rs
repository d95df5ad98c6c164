//! What the evaluations of Xiangqi and Dou Shou Qi have in common: they are linear in parameters, each of which has a value for the opening and
//! one for the ending.
//!
//! An evaluation describes a position to a [`Sink`] as features and how often each occurs. [`Lead`] adds their values up as the search needs
//! it; [`Trace`] remembers them, so that the values can be fitted. There is one description for both.

/// A parameter's values in the opening and in the ending, in hundredths of a soldier or a cat.
pub(crate) type Value = [i16; 2];

/// Parts of the opening in a position in which nothing has been taken.
pub(crate) const OPENING: i32 = 32;

/// Receives what a position has.
pub(crate) trait Sink {
    /// A feature occurs so often; below 0 for the second seat.
    fn add(&mut self, feature: usize, count: i32);
    /// A piece that is worth `kind` anywhere, and `place` beside that where it stands.
    fn add_piece(&mut self, kind: usize, place: usize, count: i32);
}

/// Parameters in the form in which they are added up: the value in the ending in the upper half of a number, the one in the opening in the lower.
#[derive(Debug)]
pub(crate) struct Table<const N: usize>([i32; N]);

impl<const N: usize> Table<N> {
    /// The table of these values, where the places of a kind, from `places` on, follow each other: what the kind is worth becomes a part of them.
    pub(crate) const fn new(
        values: &[Value; N],
        kinds: usize,
        places: usize,
        each: usize,
        of: usize,
    ) -> Self {
        let mut table = [0; N];
        let mut feature = 0;
        while feature < N {
            table[feature] = both(values[feature]);
            feature += 1;
        }
        let mut kind = 0;
        while kind < of {
            let mut place = 0;
            while place < each {
                table[places + kind * each + place] += both(values[kinds + kind]);
                place += 1;
            }
            kind += 1;
        }
        Self(table)
    }
}

const fn both(value: Value) -> i32 {
    ((value[1] as i32) << 16) + value[0] as i32
}

/// How far the first seat is ahead.
#[derive(Debug)]
pub(crate) struct Lead<'a, const N: usize> {
    table: &'a Table<N>,
    sum: i32,
}

impl<'a, const N: usize> Lead<'a, N> {
    /// Nobody is.
    pub(crate) const fn new(table: &'a Table<N>) -> Self {
        Self { table, sum: 0 }
    }

    /// The lead in a position that has so many of the [`OPENING`] parts of the opening.
    pub(crate) const fn at(&self, opening: i32) -> i32 {
        let in_opening = self.sum as i16 as i32;
        let in_ending = (self.sum.wrapping_add(0x8000) >> 16) as i16 as i32;
        (in_opening * opening + in_ending * (OPENING - opening)) / OPENING
    }
}

impl<const N: usize> Sink for Lead<'_, N> {
    #[inline]
    fn add(&mut self, feature: usize, count: i32) {
        self.sum = self
            .sum
            .wrapping_add(self.table.0[feature].wrapping_mul(count));
    }

    #[inline]
    fn add_piece(&mut self, _: usize, place: usize, count: i32) {
        self.add(place, count);
    }
}

/// What a position has, by the numbers of features: the first seat's counts less the second's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Features and how often they occur. A feature can come several times.
    pub counts: Vec<(u16, i32)>,
    /// How much of the opening is left, in parts of 32.
    pub opening: i32,
}

impl Trace {
    /// How much of the opening is left, from 0 to 1.
    pub fn opening_share(&self) -> f64 {
        f64::from(self.opening) / f64::from(OPENING)
    }
}

impl Sink for Trace {
    fn add(&mut self, feature: usize, count: i32) {
        self.counts.push((feature as u16, count));
    }

    fn add_piece(&mut self, kind: usize, place: usize, count: i32) {
        self.add(kind, count);
        self.add(place, count);
    }
}

/// Parameters of one subject that follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// What they are worth something for.
    pub name: &'static str,
    /// How many there are.
    pub length: usize,
    /// How many stand in a row when they are written down.
    pub row: usize,
}

/// Where a group begins among others.
pub(crate) const fn start_of(groups: &[Group], group: usize) -> usize {
    let mut start = 0;
    let mut before = 0;
    while before < group {
        start += groups[before].length;
        before += 1;
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_of_a_sum_come_out_as_they_went_in() {
        for values in [[[-300, 20], [7, -9]], [[5, -20_000], [1, 3]]] {
            let table = Table::new(&values, 0, 0, 0, 0);
            let mut lead = Lead::new(&table);
            lead.add(0, 1);
            lead.add(1, -3);
            let sum = |half: usize| i32::from(values[0][half]) - 3 * i32::from(values[1][half]);
            assert_eq!(lead.at(OPENING), sum(0));
            assert_eq!(lead.at(0), sum(1));
        }
    }
}
