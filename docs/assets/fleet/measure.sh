#!/bin/sh
# Measures one model on this machine, or goes on where an interrupted job stopped.
# A scheduler may start it as often as it likes: what is complete stays as it is.
#
#   SERVER=… MODEL=… MACHINE=… RESULTS=… sh measure.sh --n-max 1-8 --budget 1h -- -ngl 99
#
# MACHINE is the name that the site will show, so no host name; RESULTS outlives the job.
set -eu
: "${SERVER:?name the llama-server}" "${MODEL:?name the GGUF file}"
: "${MACHINE:?name the kind of machine, such as rtx-3090-24g}" "${RESULTS:?name a folder that stays}"

name=$(basename "$MODEL" .gguf | tr '[:upper:]' '[:lower:]' | tr -cs 'a-z0-9\n' '-')
folder=$RESULTS/measurements/$MACHINE
mkdir -p "$folder"
for file in "$folder"/????-??-??-"$name".yaml; do
  if [ -e "$file" ]; then
    exec speculoos measure --server "$SERVER" --model "$MODEL" --out "$file" --resume "$@"
  fi
done
exec speculoos measure --server "$SERVER" --model "$MODEL" \
  --out "$folder/$(date +%F)-$name.yaml" "$@"
