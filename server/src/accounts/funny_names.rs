//! Names for guests: a mood, an animal and a number.

use qiguan_environment::Random;

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
pub fn draw(random: Random) -> String {
    let mood = pick(MOODS, random);
    let animal = pick(ANIMALS, random);
    format!("{mood} {animal} {}", 1_000 + random.below(9_000))
}

fn pick(words: &'static [&'static str], random: Random) -> &'static str {
    words
        .get(random.below(words.len() as u32) as usize)
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
        assert_eq!(draw(Random::system()).split(' ').count(), 3);
    }
}
