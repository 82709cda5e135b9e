/**
 * `npm run advisories`: compares what runs in production, by the lockfile, with the advisories that the registry knows, and fails
 * when one of them is older than the time that SECURITY.md promises. Needs the registry's audit and api.github.com; where the first
 * does not respond, it reports that and ends with 2, because the result is unknown.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { advisoriesOf, decisions, judge, stale } from './lib/advisories.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

function audit(): string {
  const args = ['audit', '--json', '--omit=dev', '--package-lock-only'];
  const npm = process.env['npm_execpath'];
  const [command, argv] = npm?.endsWith('.js') ? [process.execPath, [npm, ...args]] : ['npm', args];
  // Its exit code only shows whether there is an advisory.
  const { stdout, error } = spawnSync(command, argv, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (error) throw error;
  return stdout;
}

/** Days of publication of the advisories, except those that could not be read. */
async function publishedAt(ids: readonly string[]): Promise<Map<string, Date>> {
  const token = process.env['GITHUB_TOKEN'];
  const headers = { accept: 'application/vnd.github+json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const days = new Map<string, Date>();
  for (const id of new Set(ids)) {
    try {
      const signal = AbortSignal.timeout(10_000);
      const answer = await fetch(`https://api.github.com/advisories/${id}`, { headers, signal });
      const body = z.object({ published_at: z.iso.datetime() }).parse(await answer.json());
      days.set(id, new Date(body.published_at));
    } catch (error) {
      console.log(
        `The date of publication of ${id} could not be read (${(error as Error).message.slice(0, 120)}): it counts as late.`,
      );
    }
  }
  return days;
}

async function main(): Promise<number> {
  const decided = decisions.parse(JSON.parse(readFileSync(path.join(ROOT, 'scripts/advisories.json'), 'utf8')));
  let found: ReturnType<typeof advisoriesOf>;
  try {
    found = advisoriesOf(audit());
  } catch (error) {
    console.log(`The registry did not answer the request for advisories: ${(error as Error).message}`);
    console.log('Nothing is known about the components of this version.');
    return 2;
  }
  const days = await publishedAt(found.map(({ id }) => id));
  const judged = judge(found, days, decided, new Date());
  for (const { id, package: name, severity, title, due, late } of judged) {
    const when = due ? `${late ? 'was due' : 'due'} on ${due.toISOString().slice(0, 10)}` : 'turned off';
    console.log(`${late ? '✗' : '✓'} ${id} ${name} (${severity}), ${when}: ${title}`);
  }
  const old = stale(found, decided);
  for (const id of old) console.log(`✗ scripts/advisories.json has ${id}, which is no longer reported: remove it`);
  const late = judged.filter((one) => one.late).length;
  console.log(`${found.length} advisories, ${late} late`);
  return late + old.length > 0 ? 1 : 0;
}

process.exitCode = await main();
