#!/bin/sh
# The image of the Dockerfile: below 150 MB, and the job as no root on a read-only root directory,
# in a repository of another user. container.sh PROJECT builds with docker where its engine answers,
# else as root with buildah on a base made of Debian's packages (apt-get install buildah mmdebstrap),
# with this machine's settings of pip and its certificates.
project="$(cd "$1" && pwd)"
place="$(cd "$(dirname "$0")" && pwd)"
if docker info > /dev/null 2>&1; then
  . "$place/job.sh"
  docker build --quiet --tag grounded-ingest "$project"
  size="$(docker image inspect --format '{{.Size}}' grounded-ingest)"
  check() { docker run --rm --read-only --network none --volume "$PWD:/repository:ro" grounded-ingest "$@"; }
else
  base="$(mktemp -d)"
  { # pip's files of settings, and the files that they name
    python3 -m pip config debug | sed -n 's/^  \(.*\), exists: True$/\1/p'
    python3 -m pip config list | sed -n "s/^global[^=]*='\(\/.*\)'$/\1/p"
  } > "$base/settings"
  . "$place/job.sh"
  export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
  builder() { buildah --root "$walk/images" --runroot "$walk/run" "$@"; }
  trap 'builder umount --all > /dev/null && rm -rf "$walk"' EXIT
  mmdebstrap --quiet --variant=minbase trixie "$base/base.tar"
  tar --append --file "$base/base.tar" --absolute-names --files-from "$base/settings"
  cp /etc/ssl/certs/ca-certificates.crt "$base/host.crt"
  printf '%s\n' 'FROM scratch' 'ADD base.tar /' \
    'COPY host.crt /usr/local/share/ca-certificates/host.crt' > "$base/Dockerfile"
  builder bud --quiet --tag localhost/base "$base"
  rm -r "$base"
  builder bud --quiet --build-arg BASE=localhost/base --tag localhost/grounded-ingest "$project"
  root="$(builder mount "$(builder from localhost/grounded-ingest)")"
  size="$(du -s --block-size=1 "$root" | cut -f1)"
  check() {
    unshare --mount sh -s "$root" "$PWD" "$@" <<'SH'
root="$1" repository="$2"
shift 2
mount --bind "$root" "$root"
mount --rbind /dev "$root/dev"
mount --rbind /proc "$root/proc"
mount --bind "$repository" "$root/repository"
mount -o bind,remount,ro "$root/repository"
mount -o bind,remount,ro "$root"
exec chroot --userspec=65532:65532 "$root" /usr/bin/env -i HOME=/tmp PYTHONDONTWRITEBYTECODE=1 \
  PATH=/opt/grounded-ingest/bin:/usr/bin sh -c 'cd /repository && exec grounded-ingest "$@"' sh "$@"
SH
  }
fi
chmod 755 "$walk"
echo "the image holds $size bytes"
[ "$size" -lt 150000000 ]
judge check
