# A worker. On a GPU machine it runs with that machine's container toolkit (--gpus all); without a GPU it offers the CPU.
# Built from the root of the repository: docker build -f deploy/worker.Dockerfile -t gjm-worker .
# Every RUN and COPY is also a plain command: tests/operations runs them without a container engine.
FROM node:20.19.5-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY core/package.json core/
COPY migrations/package.json migrations/
COPY server/package.json server/
COPY worker/package.json worker/
COPY client/package.json client/
COPY stack/package.json stack/
COPY cli/package.json cli/
COPY web/package.json web/

FROM packages AS build
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npx tsc -b worker

FROM packages AS production
RUN npm ci --ignore-scripts --omit=dev --no-audit --no-fund --workspace core --workspace worker

FROM node:20.19.5-bookworm-slim
ENV NODE_ENV=production GJM_DATA_DIR=/app/data
WORKDIR /app
RUN mkdir -m 1777 data
COPY --from=production /app/node_modules node_modules
COPY --from=build /app/core/package.json core/package.json
COPY --from=build /app/core/dist core/dist
COPY --from=build /app/worker/package.json worker/package.json
COPY --from=build /app/worker/dist worker/dist
USER node
VOLUME /app/data
# Healthy: a server answers its beats. The first self-tests take their time.
HEALTHCHECK --interval=15s --timeout=10s --start-period=120s CMD ["node", "worker/dist/check.js", "answered"]
CMD ["node", "--enable-source-maps", "worker/dist/index.js"]
