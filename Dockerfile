# Two stages: one bundles the sources (src/build.ts), and only what runs is in the other.
# Images are named by digest, so that what was tried is what runs; src/docs/operate.md says how to take a newer one.
FROM node:26-slim@sha256:c0753125a3789977aefe869cbebccf70e3cfd7ea84ca48547458f02e4f1d7146 AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --include=dev --ignore-scripts --no-audit --no-fund
COPY migrations ./migrations
COPY src ./src
RUN node src/build.ts
# The packages in the bundle and beside it, for a look whether a vulnerability concerns the image (CycloneDX).
RUN npm sbom --package-lock-only --omit=dev --sbom-format=cyclonedx > dist/sbom.cdx.json

FROM node:26-slim@sha256:c0753125a3789977aefe869cbebccf70e3cfd7ea84ca48547458f02e4f1d7146
WORKDIR /app
COPY --from=build /app/dist .
# `paytag` is a command here; npx would want to write to /app, which is read-only.
RUN ln -s /app/paytag.js /usr/local/bin/paytag
# An empty named volume takes its owner from the folder it is mounted on (docker-compose.yml).
RUN mkdir -p /secrets/server /secrets/operator /secrets/owner /secrets/database /secrets/redis && chown -R node:node /secrets
RUN mkdir compiled && chown node:node compiled
USER node
# A quarter less memory under load (D-RUN-14); and what Node compiles, kept by user, Node version and processor.
ENV MALLOC_ARENA_MAX=2 NODE_COMPILE_CACHE=/app/compiled
RUN node compile.js
EXPOSE 3000 3001 9464
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "paytag.js", "health"]
CMD ["node", "--max-semi-space-size=8", "--enable-source-maps", "server.js"]
