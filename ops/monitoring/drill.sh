#!/usr/bin/env bash
# Shows that rules, dashboard and program fit each other: checks the files with promtool, starts a site of its own and a real
# Prometheus, waits for one scrape, and looks for every metric that a rule or the dashboard names. Run it from the root of
# the checkout: ops/monitoring/drill.sh. Prometheus and promtool come from the path or, on Debian, from its own package, which
# is unpacked into a temporary folder and not installed. DRILL_PORT and the two ports after it must be free (3970).
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
port=${DRILL_PORT:-3970}
work=$(mktemp -d)
pids=()

finish() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap finish EXIT

fail() {
  echo "drill: $*" >&2
  exit 1
}

# Runs a command once a second until it succeeds, at most 120 times.
until_true() {
  for _ in $(seq 120); do
    if "$@" >/dev/null 2>&1; then return 0; fi
    sleep 1
  done
  return 1
}

if ! command -v promtool >/dev/null || ! command -v prometheus >/dev/null; then
  command -v apt-get >/dev/null || fail 'install prometheus and promtool first'
  chmod 755 "$work"
  (cd "$work" && apt-get download prometheus >/dev/null && dpkg-deb -x prometheus_*.deb unpacked) ||
    fail 'the package prometheus could not be had: apt-get update first'
  PATH="$work/unpacked/usr/bin:$PATH"
fi
promtool --version 2>&1 | head -1

promtool check rules "$here/florka.rules.yml"
promtool check config "$here/prometheus.yml"

cd "$root"
site=(env -i PATH="$PATH" HOME="$work" DATA_DIR="$work/data" HOST=127.0.0.1 PORT="$port" METRICS_PORT=$((port + 1))
  LOG_LEVEL=error MARKET_DATA=off)
npm run --silent build >&2
"${site[@]}" node scripts/start.mjs >"$work/site.log" 2>&1 &
pids+=($!)
until_true curl -sf "http://127.0.0.1:$port/readyz" || { cat "$work/site.log"; fail 'the site did not start'; }
"${site[@]}" npm run --silent florka -- backup >/dev/null
curl -sf "http://127.0.0.1:$port/vote" >/dev/null

sed -e "s/127.0.0.1:9464/127.0.0.1:$((port + 1))/" -e 's/: 15s/: 1s/' -e "s|florka.rules.yml|$here/florka.rules.yml|" \
  "$here/prometheus.yml" >"$work/prometheus.yml"
prometheus --config.file="$work/prometheus.yml" --storage.tsdb.path="$work/tsdb" \
  --web.listen-address="127.0.0.1:$((port + 2))" >"$work/prometheus.log" 2>&1 &
pids+=($!)

api="http://127.0.0.1:$((port + 2))/api/v1"
scraped() { curl -sf "$api/query" --data-urlencode 'query=up{job="florka"} == 1' | grep -q '"value"'; }
until_true scraped || { tail -5 "$work/prometheus.log"; fail 'Prometheus could not scrape the site'; }

# Jobs that run every minute give the metrics of jobs their first values.
names=$(grep -ohE '\b(florka|process)_[a-z_]+\b' "$here/florka.rules.yml" "$here/dashboard.json" | sort -u)
known() { curl -sf "$api/label/__name__/values" | tr ',' '\n' | grep -qF "\"$1\""; }
missing=()
for name in $names; do
  if [ "$name" = florka_job_duration_seconds_count ]; then until_true known "$name" || missing+=("$name"); continue; fi
  known "$name" || missing+=("$name")
done
[ ${#missing[@]} -eq 0 ] || fail "no scrape has: ${missing[*]}"

evaluated() {
  local rules
  rules=$(curl -sf "$api/rules")
  grep -q '"health":"ok"' <<<"$rules" && ! grep -q '"health":"unknown"' <<<"$rules"
}
until_true evaluated || fail 'the rules were not evaluated'
if curl -sf "$api/rules" | grep -q '"health":"err"'; then fail 'a rule failed'; fi

echo "drill: $(echo "$names" | wc -l) metrics found, all rules evaluated"
