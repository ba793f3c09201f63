# One image, the role as the command: node src/api/main.ts, node src/worker/main.ts, node src/media/main.ts, node src/db/migrate-main.ts …
# Node runs the TypeScript source as it is (types are stripped at load); only the Workflows are bundled.
FROM node:24-bookworm-slim AS console
WORKDIR /srv/parlance
COPY package.json package-lock.json .npmrc ./
RUN npm install --no-save
COPY tsconfig.json ./
COPY console ./console
COPY src/contract ./src/contract
COPY src/domain ./src/domain
RUN node node_modules/vite/bin/vite.js build console

FROM node:24-bookworm-slim AS service
# More arenas of the C library only keep more memory that nobody uses.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2
WORKDIR /srv/parlance
COPY package.json package-lock.json .npmrc ./
# Not `npm ci`: it wants every platform of optional packages in the lockfile, which a registry mirror may not serve.
RUN npm install --no-save --omit=dev && npm cache clean --force
COPY temporal.yaml openapi.json tsconfig.json ./
COPY examples/api-answers.json ./examples/
COPY src ./src
COPY --from=console /srv/parlance/dist/console ./dist/console
# What the npm scripts of the runbooks start through.
COPY tools/bootstrap ./tools/bootstrap
RUN node src/worker/bundle-main.ts > workflow-bundle.js
ENV PARLANCE_WORKFLOW_BUNDLE=/srv/parlance/workflow-bundle.js
# A new volume takes over who may write here.
RUN mkdir files && chown node:node files
USER node
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 CMD ["node", "src/runtime/health-check-main.ts"]
CMD ["node", "src/api/main.ts"]

# The simulated language model, for trying the service without an account. Never part of the service image.
FROM service AS simulated
COPY emulators ./emulators
COPY tools/demo ./tools/demo
HEALTHCHECK NONE
CMD ["node", "emulators/llm/main.ts"]
