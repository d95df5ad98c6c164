//! Whether the packages in `node_modules` are those of the lock file.

use std::collections::BTreeMap;

use serde::Deserialize;

/// What `package-lock.json` tells, and npm's own note of what it has installed.
#[derive(Deserialize)]
struct Lock {
    packages: BTreeMap<String, Package>,
}

#[derive(PartialEq, Eq, Deserialize)]
struct Package {
    version: Option<String>,
    integrity: Option<String>,
    #[serde(default)]
    optional: bool,
}

/// Whether a lock file and the note of what is installed tell of the same packages. Optional ones, which are made for other
/// machines, may be missing. What can't be read is not what it should be.
pub(crate) fn agree(wanted: &str, installed: &str) -> bool {
    let read = |text| serde_json::from_str::<Lock>(text).ok();
    let (Some(wanted), Some(installed)) = (read(wanted), read(installed)) else {
        return false;
    };
    let known = installed
        .packages
        .iter()
        .all(|(path, package)| wanted.packages.get(path) == Some(package));
    let complete = wanted.packages.iter().all(|(path, package)| {
        // The one without a path is the client itself.
        path.is_empty() || package.optional || installed.packages.contains_key(path)
    });
    known && complete
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock(packages: &str) -> String {
        format!(r#"{{"packages":{{{packages}}}}}"#)
    }

    #[test]
    fn packages_are_installed_when_all_are_there_in_the_versions_of_the_lock_file() {
        let root = r#""":{"version":"0.1.0"}"#;
        let kit = r#""node_modules/kit":{"version":"2.0.0","integrity":"a"}"#;
        let newer = r#""node_modules/kit":{"version":"2.0.1","integrity":"b"}"#;
        let other = r#""node_modules/x":{"version":"1.0.0","integrity":"c"}"#;
        let machine =
            r#""node_modules/for-mac":{"version":"1.0.0","integrity":"d","optional":true}"#;
        let wanted = lock(&[root, kit, machine].join(","));
        assert!(agree(&wanted, &lock(kit)));
        assert!(agree(&wanted, &lock(&[kit, machine].join(","))));
        for installed in [
            lock(""),
            lock(newer),
            lock(&[kit, other].join(",")),
            String::new(),
            "{}".to_owned(),
        ] {
            assert!(!agree(&wanted, &installed), "{installed}");
        }
    }
}
