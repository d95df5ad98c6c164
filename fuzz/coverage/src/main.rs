//! libFuzzer for one property, the one that `QIGUAN_FUZZ_TARGET` names. `scripts/fuzz.sh` builds and runs it.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use qiguan_fuzz::{TARGETS, Target};

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("QIGUAN_FUZZ_TARGET").unwrap_or_default();
    let known = TARGETS.iter().map(|target| target.name);
    let known: Vec<_> = known.collect();
    TARGETS
        .iter()
        .find(|target| target.name == name)
        .copied()
        .unwrap_or_else(|| panic!("QIGUAN_FUZZ_TARGET is {name:?}, and one of {known:?} is expected"))
});

fuzz_target!(|input: &[u8]| (TARGET.check)(input));
