/**
 * `npm run bench [-- a c …]`: the figures that the product promises, each against a reference measured in the same run.
 * Nothing here fails because of a time: the table says what was met. It is printed and, when complete, kept in
 * bench/results.md. BENCH_PROFILE=<directory> leaves processor profiles of the servers there.
 */
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureBuilt } from '../scripts/lib/bootstrap.mjs';
import { adminLists } from './figures/admin-lists.ts';
import { auditedWrites } from './figures/audit.ts';
import { firstLoad } from './figures/first-load.ts';
import { forumLists, newComment } from './figures/forum.ts';
import { ledgerFigures } from './figures/ledger.ts';
import { lists } from './figures/lists.ts';
import { restAndStart } from './figures/memory.ts';
import { onlineMigration } from './figures/migrations.ts';
import { cachedHome, publicReads, renderedHome } from './figures/pages.ts';
import { phone } from './figures/phone.ts';
import { processCosts } from './figures/processes.ts';
import { searches } from './figures/search.ts';
import { streams } from './figures/streams.ts';
import { voteActs } from './figures/vote-acts.ts';
import { hotVotes, spreadVotes } from './figures/votes.ts';
import { webhooks } from './figures/webhooks.ts';
import { failed, type Row, table } from './lib/report.ts';
import { Stage } from './lib/stage.ts';

const FIGURES: Record<string, (stage: Stage) => Promise<Row[]>> = {
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
  r: voteActs,
  t: processCosts,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in FIGURES));
if (unknown.length > 0) {
  console.error(`There is no figure ${unknown.join(', ')}: choose of ${Object.keys(FIGURES).join(', ')}`);
  process.exit(1);
}

await ensureBuilt();
const stage = await Stage.open();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void stage.close().finally(() => process.exit(1)));

const rows: Row[] = [];
let machine = '';
try {
  const model = os.cpus()[0]?.model ?? 'unknown processor';
  const busy = (os.loadavg()[0] ?? 0).toFixed(1);
  machine = `${os.cpus().length} cores (${model}), Node ${process.version}, PostgreSQL ${await stage.version()}, load ${busy} before the start, ${new Date().toISOString()}`;
  for (const [name, measure] of Object.entries(FIGURES)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    const began = performance.now();
    rows.push(...(await measure(stage).catch((error: unknown) => [failed(`${name})`, error)])));
    console.error(`[bench] ${name} took ${((performance.now() - began) / 1000).toFixed(1)} s`);
  }
} finally {
  await stage.close();
}

const text = `${table(rows)}\n\n${machine}\n`;
console.log(text);
// A partial run must not replace the full table.
if (asked.length === 0) {
  writeFileSync(
    path.join(import.meta.dirname, 'results.md'),
    `# Benchmark\n\nWritten by \`npm run bench\`. The load, the servers and the database share the machine: read the ratios.\n\n${text}`,
  );
}
process.exit(0);
