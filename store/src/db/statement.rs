//! A statement with its values, in SQL that both databases understand.

use std::borrow::Cow;

use sqlx::{
    AssertSqlSafe, Postgres, SqlSafeStr, SqlStr, Sqlite,
    postgres::PgArguments,
    query::{Query, QueryAs},
    sqlite::SqliteArguments,
};

use super::{Row, Value};

/// A statement. Its values are `$1`, `$2` and so on.
pub(crate) fn sql(text: &'static str) -> Statement {
    Statement {
        text: Cow::Borrowed(text),
        values: Vec::new(),
        is_kept: true,
    }
}

/// A statement with its values.
pub(crate) struct Statement {
    text: Cow<'static, str>,
    values: Vec<Value>,
    /// Whether connections keep it prepared: its text is one of few.
    is_kept: bool,
}

impl Statement {
    /// Many rows at once: `(…), (…)` behind `head` and before `tail`.
    pub(crate) fn with_rows(
        head: &'static str,
        rows: impl IntoIterator<Item = Vec<Value>>,
        tail: &'static str,
    ) -> Self {
        let mut statement = sql(head);
        let mut before = " (";
        for row in rows {
            for value in row {
                statement = statement.push(before).push_value(value);
                before = ", ";
            }
            before = "), (";
        }
        statement.is_kept = false;
        statement.push(")").push(tail)
    }

    /// Gives the next value.
    pub(crate) fn bind(mut self, value: impl Into<Value>) -> Self {
        self.values.push(value.into());
        self
    }

    /// Adds to the text.
    pub(crate) fn push(mut self, text: &str) -> Self {
        self.text.to_mut().push_str(text);
        self
    }

    /// Adds a value, and its place to the text.
    pub(crate) fn push_value(mut self, value: impl Into<Value>) -> Self {
        self.values.push(value.into());
        let place = format!("${}", self.values.len());
        self.push(&place)
    }

    /// Adds a text and a value if there is one: a condition that is asked for.
    pub(crate) fn push_some(self, text: &str, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.push(text).push_value(value),
            None => self,
        }
    }

    /// Adds a list of values, with parentheses around it. An empty list is no SQL: callers look before.
    pub(crate) fn push_list<V: Into<Value>>(self, values: impl IntoIterator<Item = V>) -> Self {
        let mut statement = self;
        let mut before = "(";
        for value in values {
            statement = statement.push(before).push_value(value);
            before = ", ";
        }
        statement.is_kept = false;
        statement.push(")")
    }

    /// The statement behind another text.
    pub(crate) fn after(mut self, text: &str) -> Self {
        self.text.to_mut().insert_str(0, text);
        self
    }

    /// The text, for its plan.
    #[cfg(test)]
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether no row of Postgres can have one of the values.
    pub(super) fn has_zero_byte(&self) -> bool {
        self.values.iter().any(Value::has_zero_byte)
    }

    pub(super) fn sqlite(self) -> Result<Query<'static, Sqlite, SqliteArguments>, sqlx::Error> {
        let (text, is_kept, arguments) = self.for_sqlite()?;
        Ok(sqlx::query_with(text, arguments).persistent(is_kept))
    }

    pub(super) fn sqlite_as<R: Row>(
        self,
    ) -> Result<QueryAs<'static, Sqlite, R, SqliteArguments>, sqlx::Error> {
        let (text, is_kept, arguments) = self.for_sqlite()?;
        Ok(sqlx::query_as_with(text, arguments).persistent(is_kept))
    }

    pub(super) fn postgres(self) -> Result<Query<'static, Postgres, PgArguments>, sqlx::Error> {
        let (text, is_kept, arguments) = self.for_postgres()?;
        Ok(sqlx::query_with(text, arguments).persistent(is_kept))
    }

    pub(super) fn postgres_as<R: Row>(
        self,
    ) -> Result<QueryAs<'static, Postgres, R, PgArguments>, sqlx::Error> {
        let (text, is_kept, arguments) = self.for_postgres()?;
        Ok(sqlx::query_as_with(text, arguments).persistent(is_kept))
    }

    fn for_sqlite(self) -> Result<(SqlStr, bool, SqliteArguments), sqlx::Error> {
        let mut arguments = SqliteArguments::default();
        for value in self.values {
            value.add_to(&mut arguments).map_err(sqlx::Error::Encode)?;
        }
        Ok((safe(self.text), self.is_kept, arguments))
    }

    fn for_postgres(self) -> Result<(SqlStr, bool, PgArguments), sqlx::Error> {
        let mut arguments = PgArguments::default();
        for value in self.values {
            value.add_to(&mut arguments).map_err(sqlx::Error::Encode)?;
        }
        Ok((safe(self.text), self.is_kept, arguments))
    }
}

/// The text for the library. No text here is made of anything but literals and places of values.
fn safe(text: Cow<'static, str>) -> SqlStr {
    match text {
        Cow::Borrowed(text) => text.into_sql_str(),
        Cow::Owned(text) => AssertSqlSafe(text).into_sql_str(),
    }
}
