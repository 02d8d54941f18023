# The server, with the dashboard.
# Built from the root of the repository: docker build -f deploy/server.Dockerfile -t gjm-server .
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
RUN npx tsc -b server client && npx vite build web

FROM packages AS production
RUN npm ci --ignore-scripts --omit=dev --no-audit --no-fund --workspace core --workspace migrations --workspace server

FROM node:20.19.5-bookworm-slim
ENV NODE_ENV=production GJM_HOST=0.0.0.0 GJM_PORT=4000 GJM_DATA_DIR=/app/data
WORKDIR /app
RUN mkdir -m 1777 data
COPY --from=production /app/node_modules node_modules
COPY --from=build /app/core/package.json core/package.json
COPY --from=build /app/core/dist core/dist
COPY --from=build /app/migrations/package.json migrations/package.json
COPY --from=build /app/migrations/dist migrations/dist
COPY --from=build /app/server/package.json server/package.json
COPY --from=build /app/server/dist server/dist
COPY --from=build /app/web/dist web/dist
USER node
EXPOSE 4000
VOLUME /app/data
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:'+(process.env.GJM_PORT||4000)+'/livez').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
CMD ["node", "--enable-source-maps", "server/dist/index.js"]
