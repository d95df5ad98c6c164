FROM rust:1.95-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --locked --profile dist -p qiguan

FROM debian:bookworm-slim
COPY --from=build /src/target/dist/qiguan /usr/local/bin/qiguan
RUN useradd --system qiguan && mkdir /data && chown qiguan /data
USER qiguan
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["qiguan"]
CMD ["serve", "--listen", "0.0.0.0:8080"]
