/**
 * `npm run bench [-- [--write] a c …]`: the figures that the product promises, each against a reference measured in the same
 * run. No figure fails because of a time: the table shows which targets were met. It is printed; with `--write` the rows of a figure
 * go into bench/results.md as soon as they were measured, and those of the other figures stay. BENCH_PROFILE=<directory>
 * leaves processor profiles of the servers there.
 */
import os from 'node:os';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/lib/bootstrap.mjs';
import { measuredOn } from '../scripts/lib/measured-on.ts';
import { adminLists } from './figures/admin-lists.ts';
import { auditedWrites } from './figures/audit.ts';
import { dashboards } from './figures/dashboards.ts';
import { firstLoad } from './figures/first-load.ts';
import { forumLists, newComment } from './figures/forum.ts';
import { ledgerFigures } from './figures/ledger.ts';
import { lists } from './figures/lists.ts';
import { restAndStart } from './figures/memory.ts';
import { onlineMigration } from './figures/migrations.ts';
import { mixedLoad } from './figures/mixed-load.ts';
import { cachedHome, listsAgainstDriver, publicReads, renderedHome } from './figures/pages.ts';
import { phone } from './figures/phone.ts';
import { processCosts } from './figures/processes.ts';
import { searches } from './figures/search.ts';
import { sharedState } from './figures/shared-state.ts';
import { siteMap } from './figures/site-map.ts';
import { streams } from './figures/streams.ts';
import { voteActions } from './figures/vote-actions.ts';
import { hotVotes, spreadVotes } from './figures/votes.ts';
import { webhooks } from './figures/webhooks.ts';
import { BenchEnvironment } from './lib/environment.ts';
import { failed, type Row, table } from './lib/report.ts';
import { RESULTS, writeResults } from './lib/results.ts';

const FIGURES: Record<string, (environment: BenchEnvironment) => Promise<Row[]>> = {
  a: cachedHome,
  b: renderedHome,
  c: hotVotes,
  d: spreadVotes,
  e: lists,
  f: firstLoad,
  g: streams,
  h: forumLists,
  i: newComment,
  j: webhooks,
  k: adminLists,
  l: phone,
  m: onlineMigration,
  n: auditedWrites,
  o: publicReads,
  p: restAndStart,
  s: searches,
  q: ledgerFigures,
  r: voteActions,
  t: processCosts,
  u: dashboards,
  v: mixedLoad,
  w: sharedState,
  x: listsAgainstDriver,
  y: siteMap,
};

const { values: options, positionals: chosen } = parseArgs({
  options: { write: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = chosen.filter((name) => !(name in FIGURES));
if (unknown.length > 0) {
  console.error(`There is no figure ${unknown.join(', ')}: choose of ${Object.keys(FIGURES).join(', ')}`);
  process.exit(1);
}

await ensureBuilt();
const environment = await BenchEnvironment.open();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void environment.close().finally(() => process.exit(1)));

const rows: Row[] = [];
let machine = '';
try {
  const model = os.cpus()[0]?.model ?? 'unknown processor';
  const busy = (os.loadavg()[0] ?? 0).toFixed(1);
  machine = `${os.cpus().length} cores (${model}), Node ${process.version}, PostgreSQL ${await environment.version()}, load ${busy} before the start, ${new Date().toISOString()}`;
  for (const [name, measure] of Object.entries(FIGURES)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    const began = performance.now();
    // Read before each figure, because the measurements themselves add load.
    const where = measuredOn(RESULTS);
    const measured = await measure(environment).catch((error: unknown) => [failed(`${name})`, error)]);
    rows.push(...measured);
    if (options.write) writeResults(name, measured, where, Object.keys(FIGURES));
    console.error(`[bench] ${name} took ${((performance.now() - began) / 1000).toFixed(1)} s`);
  }
} finally {
  await environment.close();
}

console.log(`${table(rows)}\n\n${machine}\n`);
process.exit(0);
