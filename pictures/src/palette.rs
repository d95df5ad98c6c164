//! Few colours for many: the files of pictures are small by it. Pure.

use std::collections::HashMap;

use resvg::tiny_skia;

/// How many colours a picture has, beside the one that shines through.
const COLOURS: usize = 255;

/// Red, green, blue.
pub(crate) type Colour = [u8; 3];

/// The colour of a pixel of a picture through which nothing shines.
pub(crate) const fn colour(pixel: tiny_skia::PremultipliedColorU8) -> Colour {
    [pixel.red(), pixel.green(), pixel.blue()]
}

/// The colours that are used most, and which of them stands for another.
pub(crate) struct Palette {
    colours: Vec<Colour>,
    nearest: HashMap<Colour, u8>,
}

impl Palette {
    /// Colours that begin with the same five bits stand for each other, as what they are on average.
    pub(crate) fn of(pictures: &[&tiny_skia::Pixmap]) -> Self {
        let mut alike: HashMap<Colour, ([u32; 3], u32)> = HashMap::new();
        for pixel in pictures.iter().flat_map(|picture| picture.pixels()) {
            let colour = colour(*pixel);
            let (sums, count) = alike.entry(colour.map(|part| part >> 3)).or_default();
            for (sum, part) in sums.iter_mut().zip(colour) {
                *sum += u32::from(part);
            }
            *count += 1;
        }
        let mut colours: Vec<_> = alike.into_iter().collect();
        colours.sort_unstable_by_key(|(first, (_, count))| (std::cmp::Reverse(*count), *first));
        colours.truncate(COLOURS);
        let average = |(_, (sums, count)): (Colour, ([u32; 3], u32))| {
            sums.map(|sum| u8::try_from(sum / count).unwrap_or(u8::MAX))
        };
        Self {
            colours: colours.into_iter().map(average).collect(),
            nearest: HashMap::new(),
        }
    }

    /// As a GIF has them, with a place for what shines through.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.colours.concat();
        bytes.resize(3 * (COLOURS + 1), 0);
        bytes
    }

    pub(crate) fn nearest(&mut self, wanted: Colour) -> u8 {
        let colours = &self.colours;
        *self.nearest.entry(wanted).or_insert_with(|| {
            let distance = |colour: &Colour| -> u32 {
                let parts = colour.iter().zip(wanted);
                parts
                    .map(|(one, other)| u32::from(one.abs_diff(other)).pow(2))
                    .sum()
            };
            let near = (0_u8..=u8::MAX).zip(colours);
            near.min_by_key(|(_, colour)| distance(colour))
                .map_or(0, |(place, _)| place)
        })
    }
}
