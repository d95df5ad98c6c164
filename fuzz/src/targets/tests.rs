use std::{collections::HashSet, fs, path::PathBuf};

use super::{TARGETS, Target};
use crate::explore::explore;

/// So many inputs are tried of each property here; `QIGUAN_FUZZ_INPUTS` says otherwise.
const INPUTS: u64 = 20_000;

/// The inputs of a folder beside this crate's sources, by name.
fn inputs(folder: &str, target: &Target) -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join(folder)
        .join(target.name);
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| fs::read(path).unwrap())
        .collect()
}

fn seeds(target: &Target) -> Vec<Vec<u8>> {
    let seeds = inputs("seeds", target);
    assert!(!seeds.is_empty(), "{} has no seeds", target.name);
    seeds
}

/// Fails unless a property with a planted fault is broken by one of the inputs that are tried.
pub(super) fn is_broken_by(target: &Target, planted: fn(&[u8])) {
    let found = explore(planted, &seeds(target), target.words, 1, INPUTS);
    assert!(
        found.is_err(),
        "{} does not find its planted fault",
        target.name
    );
}

#[test]
fn every_property_holds_for_what_is_found_and_for_what_seeds_become() {
    let wanted = std::env::var("QIGUAN_FUZZ_INPUTS").ok();
    let most = wanted.map_or(INPUTS, |text| text.parse().unwrap());
    let broken: Vec<String> = TARGETS
        .iter()
        .filter_map(|target| {
            let mut first = inputs("found", target);
            first.extend(seeds(target));
            let broken = explore(target.check, &first, target.words, 1, most).err()?;
            let path = std::env::temp_dir().join(format!("qiguan-fuzz-{}", target.name));
            fs::write(&path, &broken.input).unwrap();
            let input = String::from_utf8_lossy(&broken.input);
            let at = path.display();
            Some(format!(
                "{}: {}\n{at} has the input: {input:?}\n",
                target.name, broken.why
            ))
        })
        .collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn each_property_has_a_name_of_its_own_and_no_folder_is_of_none() {
    let names: HashSet<_> = TARGETS.iter().map(|target| target.name).collect();
    assert_eq!(names.len(), TARGETS.len());
    for folder in ["seeds", "found"] {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder);
        for entry in fs::read_dir(path).into_iter().flatten() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(
                names.contains(name.as_str()),
                "{folder}/{name} belongs to no property"
            );
        }
    }
}
