# One image, the role as the command: node src/api/main.ts, node src/worker/main.ts, node src/media/main.ts, node src/db/migrate-main.ts …
# Node runs the TypeScript source as it is (types are stripped at load), so there is no build step.
FROM node:24-bookworm-slim AS service
ENV NODE_ENV=production
WORKDIR /srv/parlance
COPY package.json package-lock.json .npmrc ./
# Not `npm ci`: it wants every platform of optional packages in the lockfile, which a registry mirror may not serve.
RUN npm install --no-save --omit=dev && npm cache clean --force
COPY temporal.yaml openapi.json tsconfig.json ./
COPY examples/api-answers.json ./examples/
COPY src ./src
# What the npm scripts of the runbooks start through.
COPY tools/bootstrap ./tools/bootstrap
# A new volume takes over who may write here.
RUN mkdir files && chown node:node files
USER node
CMD ["node", "src/api/main.ts"]

# The simulated language model, for trying the service without an account. Never part of the service image.
FROM service AS simulated
COPY emulators ./emulators
COPY tools/demo ./tools/demo
CMD ["node", "emulators/llm/main.ts"]
