#!/bin/sh
# Gathers what a fleet measured into one pull request. Run it in a clone of the repository:
#
#   sh docs/assets/fleet/collect.sh RESULTS...      each one the RESULTS of measure.sh
set -eu
[ $# -gt 0 ] || { echo "usage: collect.sh RESULTS..." >&2; exit 2; }
[ -z "$(git status --porcelain)" ] || { echo "this clone has changes of its own; use a clean one" >&2; exit 1; }

for results; do
  for file in "$results"/measurements/*/*.yaml; do
    if grep -q '^  stopped: interrupted' "$file"; then echo "left out, not finished: $file"; continue; fi
    machine=$(basename "$(dirname "$file")")
    mkdir -p "measurements/$machine"
    [ -e "measurements/$machine/$(basename "$file")" ] || cp "$file" "measurements/$machine/"
  done
done
speculoos check

branch=measurements-$(date +%F-%H%M)
git switch --quiet --create "$branch"
git add measurements
git commit --quiet --message "Add measurements of $(git diff --cached --name-only | cut -d/ -f2 | sort -u | wc -l | tr -d ' ') machines"
git push --quiet --set-upstream origin "$branch"
if command -v gh >/dev/null; then gh pr create --fill; else echo "Pushed $branch: open a pull request from it."; fi
