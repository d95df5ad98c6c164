//! Accounts over HTTP.

use qiguan_protocol::{
    account::{Me, SignedIn},
    error::ErrorCode,
    ids::PlayerId,
    names::Role,
};
use serde_json::{Value, json};

use crate::{
    client::Client,
    http::{Http, Response, Server, Transport},
    program::Program,
};

/// The password of everybody who does not say otherwise.
pub const PASSWORD: &str = "correct horse battery";

/// Name and password as they travel.
pub fn credentials(name: &str, password: &str) -> Value {
    json!({"name": name, "password": password})
}

impl<T: Transport> Http<T> {
    /// Somebody new with an account.
    pub async fn registered(server: &impl Server<Transport = T>, name: &str) -> Self {
        let mut http = Self::nobody(server);
        http.registers(name).await;
        http
    }

    /// Registers, and goes on with the new session.
    ///
    /// # Panics
    /// When it is refused.
    pub async fn registers(&mut self, name: &str) -> SignedIn {
        let response = self
            .post("/api/register", Some(&credentials(name, PASSWORD)))
            .await;
        assert_eq!(response.status, 201, "{response:?}");
        let signed_in: SignedIn = response.parsed();
        self.token = Some(signed_in.token.clone());
        signed_in
    }

    /// Tries to sign in, bringing no token.
    pub async fn tries(&self, name: &str, password: &str) -> Response {
        let mut nobody = self.clone();
        nobody.token = None;
        nobody
            .post("/api/login", Some(&credentials(name, password)))
            .await
    }

    /// Tries so many wrong passwords: how many of them were looked at. The others have to be refused by a limit.
    pub async fn guesses(&self, name: &str, times: usize) -> usize {
        let mut looked_at = 0;
        for _ in 0..times {
            match self.tries(name, "wrong horse").await.refusal() {
                (401, ErrorCode::BadCredentials) => looked_at += 1,
                refusal => assert_eq!(refusal, (429, ErrorCode::RateLimited)),
            }
        }
        looked_at
    }

    /// Another session of an account.
    ///
    /// # Panics
    /// When it is refused.
    pub async fn signs_in(&self, name: &str) -> Self {
        let response = self.tries(name, PASSWORD).await;
        assert_eq!(response.status, 200, "{response:?}");
        let mut again = self.clone();
        again.token = Some(response.parsed::<SignedIn>().token);
        again
    }

    /// Somebody new whom the operator makes a moderator, which ends the first session.
    pub async fn moderator(server: &impl Server<Transport = T>, name: &str) -> Self {
        Self::with_role(server, name, Role::Moderator).await
    }

    /// Somebody new whom the operator makes an admin, which ends the first session.
    pub async fn admin(server: &impl Server<Transport = T>, name: &str) -> Self {
        Self::with_role(server, name, Role::Admin).await
    }

    async fn with_role(server: &impl Server<Transport = T>, name: &str, role: Role) -> Self {
        let http = Self::registered(server, name).await;
        server.gives_role(name, role).await;
        http.signs_in(name).await
    }

    /// Whom the server takes this for.
    ///
    /// # Panics
    /// When it takes it for nobody.
    pub async fn me(&self) -> Me {
        let response = self.get("/api/me").await;
        assert_eq!(response.status, 200, "{response:?}");
        response.parsed()
    }

    /// The id of the player.
    pub async fn id(&self) -> PlayerId {
        self.me().await.id
    }

    /// Why the server takes this for nobody.
    pub async fn is_nobody(&self) -> ErrorCode {
        self.get("/api/me").await.error().code
    }

    /// A bot with a new account, by a token that plays.
    ///
    /// # Panics
    /// When the account does not become a bot's.
    pub async fn bot(server: &impl Server<Transport = T>, name: &str) -> Self {
        let owner = Self::registered(server, name).await;
        assert_eq!(owner.post("/api/account/bot", None).await.status, 204);
        let owner = owner.signs_in(name).await;
        owner.issues(&["read", "bot"]).await
    }

    /// A token for a program, of these scopes.
    ///
    /// # Panics
    /// When it is refused.
    pub async fn issues(&self, scopes: &[&str]) -> Self {
        let asked = json!({"name": "a program", "scopes": scopes});
        let response = self.post("/api/account/tokens", Some(&asked)).await;
        assert_eq!(response.status, 201, "{response:?}");
        let issued: qiguan_protocol::account::IssuedToken = response.parsed();
        let mut program = self.clone();
        program.token = Some(issued.token);
        program
    }
}

impl Http {
    /// A socket of the same session.
    ///
    /// # Panics
    /// When the server does not know it.
    pub async fn socket(&self, program: &Program) -> Client {
        let mut client = Client::connect(program.address()).await;
        let token = self.token.clone().expect("somebody who is signed in");
        let hello = json!({"token": token});
        let qiguan_protocol::answer::Answer::Welcome(welcome) = client.asks("hello", hello).await
        else {
            panic!("no welcome")
        };
        client.player = welcome.player;
        client.token = Some(token);
        client
    }
}
