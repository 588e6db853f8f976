# docker build -t extlint . && docker run --rm -v "$PWD:/work:ro" extlint check
FROM python:3.13-slim AS build
COPY . /source
RUN pip wheel --quiet --no-cache-dir --wheel-dir /wheels "/source[re2]"

FROM python:3.13-slim
COPY --from=build /wheels /wheels
RUN pip install --quiet --no-cache-dir --no-index --find-links /wheels "extlint[re2]" \
    && rm -rf /wheels && useradd --create-home extlint
USER extlint
WORKDIR /work
ENTRYPOINT ["extlint"]
CMD ["check"]
