//! Values that statements are given.

use std::borrow::Cow;

use qiguan_protocol::{
    ids::{CommandId, GameId, Millis, PlayerId, SeekId, Seq},
    report::ReportId,
};
use sqlx::{Arguments, Database, Encode, Type, error::BoxDynError};
use uuid::Uuid;

/// A value of a column. An absent one has its type too, since Postgres asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// An id.
    Id(Option<Uuid>),
    /// A whole number.
    Int(Option<i64>),
    /// A text.
    Text(Option<Cow<'static, str>>),
    /// Bytes.
    Bytes(Vec<u8>),
    /// Whether something holds.
    Bool(bool),
}

impl Value {
    /// Whether this is a text with a zero byte, which Postgres stores nowhere: no row has it.
    pub(crate) fn has_zero_byte(&self) -> bool {
        matches!(self, Self::Text(Some(text)) if text.contains('\0'))
    }

    /// Adds it to the arguments of a statement.
    pub(crate) fn add_to<A: Arguments>(self, arguments: &mut A) -> Result<(), BoxDynError>
    where
        A::Database: Database,
        for<'q> Option<Uuid>: Encode<'q, A::Database> + Type<A::Database>,
        for<'q> Option<i64>: Encode<'q, A::Database> + Type<A::Database>,
        for<'q> Option<Cow<'static, str>>: Encode<'q, A::Database> + Type<A::Database>,
        for<'q> Vec<u8>: Encode<'q, A::Database> + Type<A::Database>,
        for<'q> bool: Encode<'q, A::Database> + Type<A::Database>,
    {
        match self {
            Self::Id(id) => arguments.add(id),
            Self::Int(number) => arguments.add(number),
            Self::Text(text) => arguments.add(text),
            Self::Bytes(bytes) => arguments.add(bytes),
            Self::Bool(holds) => arguments.add(holds),
        }
    }
}

/// What becomes which kind of value, present or not.
macro_rules! values {
    ($($type:ty => $kind:ident($value:ident => $made:expr);)*) => {$(
        impl From<$type> for Value {
            fn from($value: $type) -> Self {
                Self::$kind(Some($made))
            }
        }
        impl From<Option<$type>> for Value {
            fn from(value: Option<$type>) -> Self {
                Self::$kind(value.map(|$value| $made))
            }
        }
    )*};
}

values! {
    Uuid => Id(id => id);
    GameId => Id(game => game.0);
    PlayerId => Id(player => player.0);
    CommandId => Id(command => command.0);
    SeekId => Id(seek => seek.0);
    ReportId => Id(report => report.0);
    i64 => Int(number => number);
    i32 => Int(number => number.into());
    u32 => Int(number => number.into());
    Millis => Int(at => at.0);
    Seq => Int(seq => seq.0.into());
    String => Text(text => text.into());
    &'static str => Text(text => text.into());
}

impl From<Vec<u8>> for Value {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes)
    }
}

impl From<bool> for Value {
    fn from(holds: bool) -> Self {
        Self::Bool(holds)
    }
}
