# docker build -t texgauge . && docker run --rm -v "$PWD:/data" texgauge eval --metrics cdm,forte /data/predictions.json
FROM debian:12 AS build
WORKDIR /src
COPY . .
RUN apt-get update && apt-get install -y --no-install-recommends python3-venv python3-dev gcc libc6-dev pkg-config git \
    lmodern fonts-lyx libglib2.0-dev libjansson-dev libcsv-dev zlib1g-dev libzstd-dev libcairo2-dev libfreetype-dev
RUN python3 -m venv /opt/texgauge && /opt/texgauge/bin/pip install --no-cache-dir .
FROM debian:12-slim
RUN apt-get update && apt-get install -y --no-install-recommends python3 libglib2.0-0 libjansson4 libcsv3 libzstd1 \
    libcairo2 libfreetype6 && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/texgauge /opt/texgauge
ENTRYPOINT ["/opt/texgauge/bin/texgauge"]
