#!/bin/sh
# What the site's tests need from Debian: a real Chromium, Java for the checker of HTML, and
# dictionaries. Found, or installed where that is possible.
set -eu
missing=""
command -v chromium >/dev/null 2>&1 || missing="$missing chromium fonts-dejavu-core"
command -v java >/dev/null 2>&1 || missing="$missing default-jre-headless"
command -v hunspell >/dev/null 2>&1 || missing="$missing hunspell"
[ -e /usr/share/hunspell/fr_FR.dic ] || missing="$missing hunspell-fr"
[ -e /usr/share/hunspell/en_US.dic ] || missing="$missing hunspell-en-us"
[ -n "$missing" ] || exit 0
if ! command -v apt-get >/dev/null 2>&1 || [ "$(id -u)" != 0 ]; then
  echo "Not found:$missing; the site's tests that need them will be skipped." >&2
  exit 0
fi
echo "Installing$missing for the site's tests …"
export DEBIAN_FRONTEND=noninteractive
get() { apt-get -qq -o Acquire::Retries=3 "$@"; }   # a mirror may have its moments
mkdir -p /usr/share/man/man1   # a slim image lacks it, and Java's package fails without
get update
# shellcheck disable=SC2086 - a list of names
get install -y --no-install-recommends $missing >/dev/null
