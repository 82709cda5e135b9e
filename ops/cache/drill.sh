#!/usr/bin/env bash
# Checks what the docs promise operators of a cache in front: installs Varnish and wrk from Debian's packages where they are
# missing (as root), starts a site of its own with Varnish before it, and looks at personal answers, a rush and its votes. Run
# it from anywhere: ops/cache/drill.sh. DRILL_PORT (3975) must be free.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
missing=()
command -v varnishd >/dev/null || missing+=(varnish)
command -v wrk >/dev/null || missing+=(wrk)
if [ ${#missing[@]} -gt 0 ]; then
  command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] || { echo "drill: install ${missing[*]} first" >&2; exit 1; }
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
varnishd -V 2>&1 | head -1
cd "$root"
exec node scripts/run.mjs ops/cache/drill.ts
