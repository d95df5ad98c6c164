FROM node:22-bookworm-slim AS web
WORKDIR /web
COPY web/package.json web/package-lock.json web/.npmrc ./
RUN npm ci
COPY web .
RUN npm run build

FROM rust:1.95-bookworm AS build
WORKDIR /src
COPY . .
COPY --from=web /web/build /web
ENV QIGUAN_WEB_DIST=/web
RUN cargo build --locked --profile dist -p qiguan

FROM debian:bookworm-slim
COPY --from=build /src/target/dist/qiguan /usr/local/bin/qiguan
# The authorities that push services' certificates are checked by.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
RUN useradd --system qiguan && mkdir /data && chown qiguan /data
USER qiguan
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["qiguan"]
CMD ["serve", "--listen", "0.0.0.0:8080"]
