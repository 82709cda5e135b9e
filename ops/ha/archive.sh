#!/bin/sh
# Archives one segment of the log: archive.sh <configuration of pgBackRest> <segment>. PostgreSQL runs it in its data folder.
#
# A leader that was lost in the middle of a segment archives that segment when it comes back, with what it alone had written. The other
# machines have the segment too, with the end of the surviving log, and pg_rewind hands their marks "to be archived" around. pgBackRest
# rightly refuses a second version (code 45), PostgreSQL repeats that for ever, and nothing newer is archived.
# No restore along the surviving log reads that segment: the next timeline starts with a copy of it. So a second version is discarded
# when this machine has a newer timeline; on the newest one it means two leaders, and stays an error.
config=$1
segment=$2
pgbackrest --config="$config" --stanza=florka archive-push "$segment"
code=$?
[ "$code" -eq 45 ] || exit "$code"
timeline=$(basename "$segment" | cut -c1-8)
newest=$(ls "$(dirname "$segment")" | grep -E '^[0-9A-F]{24}$' | cut -c1-8 | sort | tail -n 1)
# Not of one that this machine has no segment of either: then somebody else leads on it.
latest=$(printf '%s\n%s\n' "$timeline" "$newest" | sort | tail -n 1)
{ [ "$timeline" != "$newest" ] && [ "$latest" = "$newest" ]; } || exit 45
echo "archive.sh: $(basename "$segment") is of an ended timeline, and the archive has another version: kept that one" >&2
