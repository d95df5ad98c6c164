//! Several programs on one record with NATS between them, which are killed and replaced while clients go from one to another.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use crate::{
    client::Client,
    nats::Nats,
    program::{Program, Start},
    random::Random,
    waiting::pause,
};

/// How long a client waits for a program that is frozen before it goes to another one.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// Where programs can be reached just now.
#[derive(Clone, Default)]
pub struct Addresses(Arc<Mutex<Vec<String>>>);

impl Addresses {
    fn set(&self, programs: &[Program]) {
        let addresses = programs.iter().map(|it| it.address().to_owned());
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = addresses.collect();
    }

    /// Connects a client to some program, until one of them answers: the address of that one.
    pub async fn connect_again(&self, client: &mut Client, random: &mut Random) -> String {
        loop {
            let addresses = self
                .0
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone();
            let address: &String = random.pick(&addresses);
            let again = client.try_again(address);
            if let Ok(Some(again)) = tokio::time::timeout(PATIENCE, again).await {
                *client = again;
                return address.clone();
            }
            pause().await;
        }
    }
}

/// The programs, of which those that are killed are replaced.
pub struct Machines {
    /// What carries messages between them.
    pub nats: Nats,
    /// The programs that can be reached.
    pub programs: Vec<Program>,
    /// Where they can be reached.
    pub addresses: Addresses,
    start: Start,
}

impl Machines {
    /// Starts so many programs, all in the same way.
    pub async fn start(count: usize, nats: Nats, start: Start) -> Self {
        let mut machines = Self {
            nats,
            programs: Vec::new(),
            addresses: Addresses::default(),
            start,
        };
        for _ in 0..count {
            machines.add().await;
        }
        machines
    }

    /// Starts one more program.
    pub async fn add(&mut self) {
        self.programs.push(self.start.clone().start().await);
        self.addresses.set(&self.programs);
    }

    /// Takes a program out, so that no client comes to it any more. Those behind it move up.
    pub fn take(&mut self, index: usize) -> Program {
        let program = self.programs.remove(index);
        self.addresses.set(&self.programs);
        program
    }
}
