//! The setups of both sides and a player's notes, as each audience may know them.

use qiguan_protocol::{
    names,
    setup::{RevealedSetup, SetupView},
};
use qiguan_rules::{BySeat, Seat};

use super::Audience;
use crate::{commitments::hex, seat_drafts::Drafts, setups::SettingUp, state::State};

/// How far the setups are, with the audience's own.
pub(super) fn setup(state: &State, audience: Audience, drafts: &Drafts) -> Option<SetupView> {
    let setup = state.setup.as_ref()?;
    let yours = |seat: Seat| match &setup.taken {
        Some(taken) => taken.0.get(seat).text(),
        None => setup.current(drafts, seat).text(),
    };
    Some(SetupView {
        until: state.setting_up().map(|setup| setup.until),
        ready: names::BySeat {
            first: setup.ready.first,
            second: setup.ready.second,
        },
        yours: audience.seat().map(yours),
        commitments: commitments(setup),
        revealed: revealed(setup),
    })
}

pub(super) fn commitments(setup: &SettingUp) -> Option<names::BySeat<String>> {
    let BySeat { first, second } = setup.commitments()?;
    Some(names::BySeat { first, second })
}

/// The setups with their salts, once everybody may see them.
pub(super) fn revealed(setup: &SettingUp) -> Option<names::BySeat<RevealedSetup>> {
    let taken = setup.taken.as_ref().filter(|_| setup.revealed)?;
    let one = |seat: Seat| RevealedSetup {
        setup: taken.0.get(seat).text(),
        salt: hex(&setup.draw.salts.get(seat).0),
    };
    Some(names::BySeat {
        first: one(Seat::First),
        second: one(Seat::Second),
    })
}

/// A player's own notes.
pub(super) fn notes(audience: Audience, drafts: &Drafts) -> Option<String> {
    drafts.get(audience.seat()?).notes.clone()
}
