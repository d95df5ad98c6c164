# The web client.
FROM node:22-bookworm-slim AS web
WORKDIR /web
COPY web/package.json web/package-lock.json web/.npmrc ./
RUN npm ci
COPY web .
RUN npm run build

# The program. What it depends on is a layer of its own, made again only when the manifests or the lock file change.
FROM rust:1.95-bookworm AS chef
RUN cargo install --locked --version 0.1.78 cargo-chef
WORKDIR /src

FROM chef AS plan
COPY . .
RUN cargo chef prepare --bin qiguan

FROM chef AS build
COPY --from=plan /src/recipe.json .
RUN cargo chef cook --locked --profile dist --package qiguan
COPY . .
COPY --from=web /web/build /web
# Which commit this is: `docker build --build-arg COMMIT=$(git rev-parse --short=12 HEAD)`.
ARG COMMIT
ENV QIGUAN_WEB_DIST=/web QIGUAN_COMMIT=$COMMIT
RUN cargo build --locked --profile dist --package qiguan && mkdir /data

FROM debian:bookworm-slim
COPY --from=build /src/target/dist/qiguan /usr/local/bin/qiguan
# The authorities that push services' certificates are checked by.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY LICENSE-MIT LICENSE-APACHE /usr/share/doc/qiguan/
# A number, so that folders of the host can be given to it. Nothing but /data needs to be writable.
COPY --from=build --chown=10001:10001 --chmod=700 /data /data
USER 10001:10001
ENV HOME=/data QIGUAN_LISTEN=0.0.0.0:8080
VOLUME /data
EXPOSE 8080
# The program's own end, in up to thirteen seconds.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD ["qiguan", "health"]
ENTRYPOINT ["qiguan"]
CMD ["serve"]
