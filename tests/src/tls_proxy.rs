//! A proxy with TLS in front of the server, as the operations page demands, with an authority and a certificate of its own.

use std::{path::PathBuf, sync::Arc};

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::ring,
        pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
    },
};

use crate::folder::Folder;

/// What a certificate says.
pub struct Certificate {
    /// For which names it is.
    pub names: Vec<String>,
    /// Whether its time is over.
    pub expired: bool,
}

impl Default for Certificate {
    fn default() -> Self {
        Self {
            names: vec!["localhost".to_owned(), "127.0.0.1".to_owned()],
            expired: false,
        }
    }
}

impl Certificate {
    /// Issued by an authority of its own, whose certificate lies in this folder; with its key.
    pub(crate) fn issued_in(self, folder: &Folder) -> (rcgen::Certificate, KeyPair) {
        let authority_key = KeyPair::generate().expect("a key");
        let mut authority = CertificateParams::new(Vec::new()).expect("parameters");
        let name = folder.path().display().to_string();
        authority.distinguished_name.push(DnType::CommonName, name);
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let shown = authority
            .clone()
            .self_signed(&authority_key)
            .expect("an authority");
        std::fs::write(authority_in(folder), shown.pem()).expect("a file");
        let issuer = Issuer::new(authority, authority_key);
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::new(self.names).expect("names");
        if self.expired {
            params.not_after = rcgen::date_time_ymd(2020, 1, 1);
        }
        let issued = params.signed_by(&key, &issuer).expect("a certificate");
        (issued, key)
    }
}

/// The file with the certificate of the authority.
pub(crate) fn authority_in(folder: &Folder) -> PathBuf {
    folder.path().join("ca.pem")
}

/// The proxy.
pub struct TlsProxy {
    port: u16,
    folder: Folder,
}

impl TlsProxy {
    /// Stands before a server, with a certificate for this machine.
    pub async fn before(target: &str) -> Self {
        Self::with(target, Certificate::default()).await
    }

    /// Stands before a server with a certificate.
    pub async fn with(target: &str, certificate: Certificate) -> Self {
        let folder = Folder::new();
        let (certificate, key) = certificate.issued_in(&folder);
        let chain = vec![certificate.into()];
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .expect("a key that fits");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        tokio::spawn(accept(listener, acceptor, target.to_owned()));
        Self { port, folder }
    }

    /// The address of a path, by the name of this machine.
    pub fn url(&self, path: &str) -> String {
        format!("https://localhost:{}{path}", self.port)
    }

    /// The port.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// The file with the certificate of the authority.
    pub fn authority(&self) -> PathBuf {
        authority_in(&self.folder)
    }
}

async fn accept(listener: TcpListener, acceptor: TlsAcceptor, target: String) {
    while let Ok((client, _)) = listener.accept().await {
        let (acceptor, target) = (acceptor.clone(), target.clone());
        tokio::spawn(async move {
            let Ok(mut client) = acceptor.accept(client).await else {
                return;
            };
            if let Ok(mut server) = TcpStream::connect(target).await {
                // It ends when one of the two has gone.
                let _ = copy_bidirectional(&mut client, &mut server).await;
            }
        });
    }
}
