#!/bin/sh
# What judges the files under docs/assets/operate: found, or installed where that is possible.
set -eu
missing=""
for name in systemd-analyze docker-compose promtool curl; do
  command -v "$name" >/dev/null 2>&1 || missing="$missing $name"
done
[ -n "$missing" ] || exit 0
if ! command -v apt-get >/dev/null 2>&1 || [ "$(id -u)" != 0 ]; then
  echo "Not found:$missing; the tests that need them will be skipped." >&2
  exit 0
fi
echo "Installing$missing for the tests …"
export DEBIAN_FRONTEND=noninteractive
get() { apt-get -qq -o Acquire::Retries=3 "$@"; }   # a mirror may have its moments
get update
for name in $missing; do
  case $name in
    systemd-analyze) get install -y --no-install-recommends systemd >/dev/null ;;
    promtool)
      # The one program out of the package: installed whole, it would start a server.
      folder=$(mktemp -d)
      (cd "$folder" && get -o APT::Sandbox::User=root download prometheus >/dev/null)
      dpkg-deb --fsys-tarfile "$folder"/prometheus_*.deb |
        tar -x -C /usr/local --strip-components=2 ./usr/bin/promtool
      rm -r "$folder" ;;
    *) get install -y --no-install-recommends "$name" >/dev/null ;;
  esac
done
