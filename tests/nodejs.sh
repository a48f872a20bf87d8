#!/bin/sh
# What judges the built site and comes from npm lies in the environment beside Node.js, which a
# wheel brings: .venv/node, made anew when the lock file changes.
set -eu
venv=$1
from=$(dirname "$0")/site/node
cmp -s "$from/package-lock.json" "$venv/node/installed.json" && exit 0
echo "Installing Lighthouse and the Nu Html Checker for the site's tests …"
rm -rf "$venv/node"
mkdir "$venv/node"
cp "$from/package.json" "$from/package-lock.json" "$venv/node"
PATH="$(cd "$venv/bin" && pwd):$PATH"
cd "$venv/node"
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
cp package-lock.json installed.json
