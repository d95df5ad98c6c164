//! Enums of words: what travels is the variant's name in snake case.

/// Gives such enums their list, their text and the way back from it.
macro_rules! words {
    ($($name:ident),*) => {$(
        impl $name {
            /// All of them.
            pub const ALL: &[Self] = <Self as strum::VariantArray>::VARIANTS;

            /// The word as it travels.
            pub fn as_str(self) -> &'static str {
                self.into()
            }

            /// What a word means.
            pub fn from_name(name: &str) -> Option<Self> {
                name.parse().ok()
            }
        }
    )*};
}

pub(crate) use words;
