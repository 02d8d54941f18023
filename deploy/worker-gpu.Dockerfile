# A worker with TensorFlow's C library and the libraries of CUDA 12 for NVIDIA GPUs: the engines cuda and native (docs/engines.md).
# Built from the root of the repository: docker build -f deploy/worker-gpu.Dockerfile -t gjm-worker-gpu . It takes about 8 GB.
# It runs with the container toolkit of NVIDIA (--gpus all) and a driver of version 525.60.13 or newer on the host.
# Every RUN and COPY is also a plain command: tests/operations runs them without a container engine.
# Not the slim image: it has the compiler for the binding.
FROM node:20.19.5-bookworm AS packages
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

# The versions are those that tensorflow[and-cuda] asks for; its Python side and what that needs are left out.
FROM python:3.11.13-bookworm AS library
WORKDIR /app
RUN pip install --no-deps --no-compile --no-cache-dir --only-binary=:all: --target library \
  tensorflow==2.21.0 \
  nvidia-cublas-cu12==12.9.3.13 \
  nvidia-cuda-cupti-cu12==12.9.79 \
  nvidia-cuda-nvcc-cu12==12.9.86 \
  nvidia-cuda-nvrtc-cu12==12.9.86 \
  nvidia-cuda-runtime-cu12==12.9.79 \
  nvidia-cudnn-cu12==9.28.0.42 \
  nvidia-cufft-cu12==11.4.1.4 \
  nvidia-curand-cu12==10.3.10.19 \
  nvidia-cusolver-cu12==11.7.5.82 \
  nvidia-cusparse-cu12==12.5.10.65 \
  nvidia-nccl-cu12==2.32.3 \
  nvidia-nvjitlink-cu12==12.9.86

# Ends with a self-test on the CPU, so that an image which can not compute is not made.
FROM build AS binding
COPY --from=library /app/library library
RUN GJM_PACKAGES_DIR=packages node worker/dist/setup/tensorflow.js --from library/tensorflow

FROM node:20.19.5-bookworm-slim
ENV NODE_ENV=production GJM_DATA_DIR=/app/data GJM_PACKAGES_DIR=packages
ENV NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility,graphics
WORKDIR /app
RUN mkdir -m 1777 data
COPY --from=library /app/library/nvidia library/nvidia
COPY --from=library /app/library/tensorflow/libtensorflow_framework.so.2 library/tensorflow/libtensorflow_framework.so.2
COPY --from=library /app/library/tensorflow/libtensorflow_cc.so.2 library/tensorflow/libtensorflow_cc.so.2
COPY --from=binding /app/packages packages
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
