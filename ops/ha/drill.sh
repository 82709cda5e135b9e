#!/usr/bin/env bash
# Tests the statements of docs/scale.md about a database that survives the loss of machines: three of them with Patroni and etcd, HAProxy,
# PgBouncer and three processes of the site, all on this one machine in a network of their own. Needs root; installs what is
# missing from Debian's packages without starting it. Run it from anywhere:
# ops/ha/drill.sh [--kills 20] [--cuts 2] [--freezes 2] [--record file.json]
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
[ "$(id -u)" = 0 ] || { echo "drill: run it as root" >&2; exit 1; }
missing=()
for pair in patroni:patroni etcd:etcd-server haproxy:haproxy pgbouncer:pgbouncer pgbackrest:pgbackrest ip:iproute2 openssl:openssl; do
  command -v "${pair%%:*}" >/dev/null || missing+=("${pair#*:}")
done
[ -x /usr/lib/postgresql/15/bin/pg_rewind ] || missing+=(postgresql-15)
python3 -c 'import etcd, psycopg2' 2>/dev/null || missing+=(python3-etcd python3-psycopg2)
if [ ${#missing[@]} -gt 0 ]; then
  command -v apt-get >/dev/null || { echo "drill: install ${missing[*]} first" >&2; exit 1; }
  # Nothing of it is to run by itself.
  policy=/usr/sbin/policy-rc.d
  if [ ! -e $policy ]; then
    printf '#!/bin/sh\nexit 101\n' > $policy
    chmod +x $policy
    trap 'rm -f $policy' EXIT
  fi
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
cd "$root"
# With what the drill itself needs: below there is no network to install it from.
node scripts/run.mjs --version >/dev/null
node scripts/start.mjs --build-only
# A network and mounts of its own: nothing of this is seen outside, and all of it ends with the drill.
# A shell above it: it collects what killed machines leave behind.
unshare --net --mount --pid --fork --kill-child --mount-proc bash -c 'node scripts/run.mjs ops/ha/drill.ts "$@"; exit $?' drill "$@"
