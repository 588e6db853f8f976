# docker build -t extlint . && docker run --rm -v "$PWD:/work:ro" extlint check
# docker build -t extlint-serve --target serve . && docker run --rm -p 127.0.0.1:8157:8157 -e EXTLINT_TOKEN extlint-serve
FROM python:3.13-slim AS build
COPY . /source
RUN pip wheel --quiet --no-cache-dir --wheel-dir /wheels "/source[re2,serve]"

FROM python:3.13-slim AS serve
COPY --from=build /wheels /wheels
RUN pip install --quiet --no-cache-dir --no-index --find-links /wheels "extlint[re2,serve]" \
    && rm -rf /wheels && useradd --uid 10001 --create-home extlint
USER extlint
WORKDIR /tmp
EXPOSE 8157
ENTRYPOINT ["extlint", "serve", "--host", "0.0.0.0"]

FROM python:3.13-slim AS check
COPY --from=build /wheels /wheels
RUN pip install --quiet --no-cache-dir --no-index --find-links /wheels "extlint[re2]" \
    && rm -rf /wheels && useradd --create-home extlint
USER extlint
WORKDIR /work
ENTRYPOINT ["extlint"]
CMD ["check"]
