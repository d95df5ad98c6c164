//! What there is for each seat: the types of the values by their names, where each is written out.

use serde_json::Value;

use super::reference;

/// Names them. Returns the schemas whose values have a name that is not the schema of what is written there.
pub(super) fn name_values(document: &mut Value) -> Vec<String> {
    let Some(schemas) = super::schemas(document) else {
        return vec!["schemas".to_owned()];
    };
    let mut missing = Vec::new();
    let names: Vec<_> = schemas.keys().cloned().collect();
    for name in names {
        let Some(value_name) = name.strip_prefix("BySeat_") else {
            continue;
        };
        let value_name = value_name.strip_prefix("Option_").unwrap_or(value_name);
        // Texts and the like have no schema of their own.
        let Some(value) = schemas.get(value_name).cloned() else {
            continue;
        };
        for seat in ["first", "second"] {
            let field = &mut schemas[&name]["properties"][seat];
            let place = if field.get("oneOf").is_some() {
                let forms = field["oneOf"].as_array_mut().into_iter().flatten();
                forms.into_iter().find(|form| **form == value)
            } else {
                Some(field).filter(|field| **field == value)
            };
            match place {
                Some(place) => *place = reference(value_name),
                None => missing.push(format!("{name}.{seat}")),
            }
        }
    }
    missing
}
