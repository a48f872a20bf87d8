#!/bin/sh
# What judges the built site and comes from npm; Node.js itself lies beside the Python given here.
set -eu
python=$1
cd "$(dirname "$0")/site/node"
if [ node_modules/.package-lock.json -nt package-lock.json ]; then exit 0; fi
echo "Installing Lighthouse and the Nu Html Checker for the site's tests …"
PATH="$(cd "$OLDPWD" && cd "$(dirname "$python")" && pwd):$PATH"
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
touch node_modules/.package-lock.json
