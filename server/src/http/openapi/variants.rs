//! The forms of what has several, told apart by a `type` or by their only field: each is a schema of its own with a name, so that generators make one readable type of it.

use serde_json::{Map, Value, json};

use super::reference;

/// Gives every such form a schema of its own, `GameCommand` + `offer_draw` being
/// `GameCommandOfferDraw`; the schema becomes a list of references. Returns the names that there are already.
pub(super) fn name(document: &mut Value) -> Vec<String> {
    let Some(schemas) = super::schemas(document) else {
        return vec!["schemas".to_owned()];
    };
    let mut taken = Vec::new();
    let names: Vec<_> = schemas.keys().cloned().collect();
    for name in names {
        let forms = schemas[&name].get("oneOf").and_then(Value::as_array);
        let Some(forms) = forms.cloned() else {
            continue;
        };
        let forms: Vec<_> = forms
            .into_iter()
            .map(|form| whole(&form, schemas).unwrap_or(form))
            .collect();
        let by_type: Option<Vec<_>> = forms.iter().map(kind_of).collect();
        let has_type = by_type.is_some();
        let by_field = || forms.iter().map(only_field).collect();
        let Some(kinds) = by_type.or_else(by_field) else {
            continue;
        };
        let mut references = Vec::new();
        let mut mapping = Map::new();
        for (kind, form) in kinds.into_iter().zip(forms) {
            let form_name = name_of(&name, &kind);
            references.push(reference(&form_name));
            mapping.insert(kind, reference(&form_name)["$ref"].take());
            if schemas.insert(form_name.clone(), form).is_some() {
                taken.push(form_name);
            }
        }
        schemas[&name]["oneOf"] = Value::Array(references);
        if has_type {
            schemas[&name]["discriminator"] = json!({ "propertyName": "type", "mapping": mapping });
        }
    }
    taken
}

/// Says of every field that can only be one word that it is constant.
pub(super) fn fix_constants(value: &mut Value) {
    match value {
        Value::Object(object) => {
            let word = match object
                .get("enum")
                .and_then(Value::as_array)
                .map(Vec::as_slice)
            {
                Some([word]) => Some(word.clone()),
                _ => None,
            };
            if let Some(word) = word {
                object.remove("enum");
                object.insert("const".to_owned(), word);
            }
            object.values_mut().for_each(fix_constants);
        }
        Value::Array(list) => list.iter_mut().for_each(fix_constants),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The word that a form is told apart by.
fn kind_of(form: &Value) -> Option<String> {
    let kind = form.pointer("/properties/type/enum/0")?.as_str()?;
    Some(kind.to_owned())
}

/// The name of the field of a form that has one alone.
fn only_field(form: &Value) -> Option<String> {
    let mut fields = form.get("properties")?.as_object()?.keys();
    let field = fields.next()?.clone();
    fields.next().is_none().then_some(field)
}

/// A form made of a type and its `type`, as one object: the type alone allows no field more.
fn whole(form: &Value, schemas: &Map<String, Value>) -> Option<Value> {
    let of = form["allOf"][0]["$ref"].as_str()?.rsplit('/').next()?;
    let mut whole = schemas.get(of)?.clone();
    whole["properties"]["type"] = form["allOf"][1]["properties"]["type"].clone();
    whole["required"].as_array_mut()?.push(json!("type"));
    Some(whole)
}

/// `left_pools` of `Answer` is `AnswerLeftPools`.
pub(super) fn name_of(schema: &str, kind: &str) -> String {
    let mut name = schema.to_owned();
    for word in kind.split('_') {
        let mut letters = word.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
}
