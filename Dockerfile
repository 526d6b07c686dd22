# Python, git, a shell and the wheel, in an image from scratch. docs/install.md says how it is run.
ARG BASE=docker.io/library/debian:trixie-slim
FROM ${BASE} AS build

# The files of packages without their dependencies: git alone would bring perl.
ARG PACKAGES="base-files busybox git libbz2-1.0 libc6 libexpat1 libffi8 libgcc-s1 liblzma5 \
  libpcre2-8-0 libpython3.13-minimal libpython3.13-stdlib libsqlite3-0 libssl3t64 libstdc++6 \
  libuuid1 libzstd1 media-types python3-minimal python3.13-minimal zlib1g"
RUN apt-get update && apt-get install --yes --no-install-recommends python3-venv
RUN mkdir /packages && cd /packages && apt-get download ${PACKAGES} \
  && for package in *.deb; do dpkg-deb --extract "$package" /rootfs; done

COPY . /source
RUN python3 -m venv /pip && python3 -m venv --without-pip /opt/grounded-ingest \
  && /pip/bin/pip install --quiet --require-hashes --only-binary :all: \
    -r /source/constraints-build.txt \
  && /pip/bin/pip wheel --quiet --no-deps --no-build-isolation --wheel-dir /wheel /source \
  && /pip/bin/pip --python /opt/grounded-ingest/bin/python install --quiet --no-compile \
    --require-hashes --only-binary :all: -r /source/constraints.txt \
  && /pip/bin/pip --python /opt/grounded-ingest/bin/python install --quiet --no-compile \
    --no-deps /wheel/*.whl \
  && mkdir -p /rootfs/opt /rootfs/repository && cp -a /opt/grounded-ingest /rootfs/opt/

# What is never run goes: documentation, character sets, and what git needs to fetch and to serve.
# Modules are compiled, because nothing is written where it runs. Whoever mounts a repository owns
# it, not the user inside.
RUN cd /rootfs/usr \
  && find share -mindepth 1 -maxdepth 1 ! -name git-core -exec rm -r {} + \
  && rm -r lib/*/gconv lib/git-core/git-daemon lib/git-core/git-http-* lib/git-core/git-imap-send \
    lib/git-core/git-remote-* lib/git-core/git-shell \
  && for name in $(bin/busybox --list); do [ -e "bin/$name" ] || ln -s busybox "bin/$name"; done \
  && python3 -m compileall -q --invalidation-mode unchecked-hash -s /rootfs \
    lib/python3.13 /rootfs/opt/grounded-ingest \
  && printf '[safe]\n\tdirectory = *\n' > /rootfs/etc/gitconfig \
  && echo 'nonroot:x:65532:65532::/tmp:/bin/sh' > /rootfs/etc/passwd

FROM scratch
COPY --from=build /rootfs /
ENV PATH=/opt/grounded-ingest/bin:/usr/bin HOME=/tmp PYTHONDONTWRITEBYTECODE=1
USER 65532:65532
WORKDIR /repository
ENTRYPOINT ["grounded-ingest"]
CMD ["check"]
