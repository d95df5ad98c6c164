//! Names for guests: a mood, an animal and a number.

use crate::environment::Dice;

const MOODS: &[&str] = &[
    "Bold", "Brave", "Bright", "Calm", "Cheerful", "Clever", "Curious", "Daring", "Dreamy",
    "Eager", "Fearless", "Gentle", "Grumpy", "Happy", "Hasty", "Honest", "Humble", "Jolly", "Keen",
    "Lazy", "Lively", "Lucky", "Merry", "Mighty", "Modest", "Nimble", "Patient", "Polite", "Proud",
    "Quick", "Quiet", "Serene", "Shy", "Sleepy", "Sly", "Stubborn", "Swift", "Tricky", "Wise",
    "Witty",
];

const ANIMALS: &[&str] = &[
    "Badger", "Bear", "Beaver", "Camel", "Carp", "Cat", "Crane", "Cricket", "Deer", "Dog",
    "Dolphin", "Dragon", "Duck", "Elephant", "Falcon", "Fox", "Frog", "Gibbon", "Goat", "Goose",
    "Hare", "Hedgehog", "Heron", "Horse", "Ibis", "Leopard", "Lion", "Lynx", "Magpie", "Monkey",
    "Otter", "Owl", "Ox", "Panda", "Pangolin", "Pheasant", "Pig", "Rabbit", "Rat", "Rooster",
    "Sheep", "Snail", "Snake", "Sparrow", "Squirrel", "Swan", "Tiger", "Toad", "Turtle", "Wolf",
];

/// A name such as `Sly Pangolin 4071`. Names of guests are not unique.
pub fn draw(dice: Dice) -> String {
    let mood = pick(MOODS, dice);
    let animal = pick(ANIMALS, dice);
    format!("{mood} {animal} {}", 1_000 + dice.below(9_000))
}

fn pick(words: &'static [&'static str], dice: Dice) -> &'static str {
    words
        .get(dice.below(words.len() as u32) as usize)
        .copied()
        .unwrap_or("Odd")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_three_words_and_fit_the_length_of_a_name() {
        let longest = |words: &[&str]| words.iter().map(|word| word.len()).max().unwrap();
        assert!(longest(MOODS) + longest(ANIMALS) + 6 <= 25);
        assert_eq!(draw(Dice::system()).split(' ').count(), 3);
    }
}
