//! Which certificates an encrypted connection trusts: the system's authorities, and one that the user names.

use std::{io, path::PathBuf, sync::Arc};

use anyhow::Context;
use tokio_rustls::rustls::{
    CertificateError, ClientConfig, Error, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, pem::PemObject},
};

use super::text::cut;

/// Which certificates are trusted beside the system's.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct TrustArgs {
    /// Also trust the certificates in this PEM file, for servers with their own authority.
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
}

impl TrustArgs {
    /// What a TLS connection needs to know.
    ///
    /// # Errors
    /// When the file can't be read, or there is no certificate at all to trust.
    pub fn config(&self) -> anyhow::Result<Arc<ClientConfig>> {
        let mut roots = RootCertStore::empty();
        // The system's; `SSL_CERT_FILE` and `SSL_CERT_DIR` take their place.
        let native = rustls_native_certs::load_native_certs();
        roots.add_parsable_certificates(native.certs);
        if let Some(file) = &self.ca {
            let named = || {
                format!(
                    "--ca {}: expected a file of certificates in PEM",
                    file.display()
                )
            };
            let mut count = 0;
            for certificate in CertificateDer::pem_file_iter(file).with_context(named)? {
                roots
                    .add(certificate.with_context(named)?)
                    .with_context(named)?;
                count += 1;
            }
            anyhow::ensure!(count > 0, "{}", named());
        }
        let problem = native.errors.first();
        anyhow::ensure!(
            !roots.is_empty(),
            "this machine has no certificates to check a server by{}; install the package ca-certificates, or name a file with --ca FILE",
            problem.map_or(String::new(), |problem| format!(" ({problem})"))
        );
        let provider = Arc::new(ring::default_provider());
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Arc::new(config))
    }
}

/// Why a TLS connection to a server can't be had, and what to do about it.
pub fn why_not(host: &str, error: &io::Error) -> String {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
    let said = match inner {
        Some(Error::InvalidCertificate(wrong)) => return distrust(host, wrong),
        Some(Error::InvalidMessage(_)) => {
            return format!(
                "{host} does not speak TLS at this port; perhaps the address begins with http://"
            );
        }
        Some(other) => other.to_string(),
        None => error.to_string(),
    };
    format!(
        "could not make an encrypted connection to {host}: {}",
        cut(&said)
    )
}

fn distrust(host: &str, wrong: &CertificateError) -> String {
    match wrong {
        CertificateError::UnknownIssuer | CertificateError::BadSignature => format!(
            "{host} has a certificate from an authority that this machine does not trust, so it could be anybody; if the server has its own authority, give the file of that authority's certificate with --ca FILE"
        ),
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            format!(
                "{host} has a certificate for another name; type the address that the certificate is for"
            )
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => format!(
            "the certificate of {host} has expired; the server's operator must renew it, unless this machine's clock is wrong"
        ),
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            format!("the certificate of {host} is not valid yet; check this machine's clock")
        }
        CertificateError::Revoked => {
            format!("the certificate of {host} was revoked; the server's operator must renew it")
        }
        other => format!(
            "the certificate of {host} can't be trusted: {}",
            cut(&other.to_string())
        ),
    }
}
