import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readEntries, suggest } from './lib/suggest-files.ts';
import { type FoundKind, filesOf, findDomains, readProject } from './where.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const sources = readProject(ROOT);
const pathsOf = (kinds: FoundKind[]) => kinds.flatMap(({ files }) => files.map((file) => file.split('  ')[0] ?? ''));
const all = new Map(findDomains(sources).map((domain) => [domain, filesOf(sources, domain)]));
/** Paths of a kind that belong to no domain. */
const left = (fits: (file: string) => boolean) => {
  const found = new Set([...all.values()].flatMap(pathsOf));
  return [...sources.keys()].filter((file) => fits(file) && !found.has(file));
};

describe('npm run where', () => {
  it('prints the files of a domain in every tree', () => {
    const kinds = Object.fromEntries((all.get('payments') ?? []).map(({ name, files }) => [name, files]));
    expect(kinds).toMatchObject({
      Contract: expect.arrayContaining(['contract/domains/payments.ts', 'contract/admin/payments.ts']),
      Tables: expect.arrayContaining(['server/db/tables/payments.ts']),
      Jobs: [
        'server/jobs/money/fetch-payment.job.ts',
        'server/jobs/money/reconcile-payments.job.ts',
        'server/jobs/money/supersede-orders.job.ts',
        // It records what was missed of earlier refunds.
        'server/jobs/tokens/watch-deliverables.job.ts',
      ],
      Endpoints: expect.arrayContaining(['server/http/endpoints/webhooks.ts']),
      Providers: expect.arrayContaining(['server/providers/payments/nowpayments.ts']),
      Emulator: expect.arrayContaining(['emulator/emulator.ts', 'emulator/payers.ts']),
      Signer: ['server/signer/env.ts'],
      Commands: ['scripts/operator/admin-key.ts'],
      Pages: expect.arrayContaining(['app/routes/public/create.tsx  /create']),
      Screens: expect.arrayContaining(['app/features/token-requests/wizard/payment.queries.ts']),
      Messages: expect.arrayContaining([
        'app/lib/messages/create.ts',
        'app/lib/messages/admin/token-creation/request-dialog.ts',
      ]),
      Scenarios: expect.arrayContaining(['tests/e2e/create-payment.e2e.ts  /create']),
      Guides: expect.arrayContaining(['docs/adr/0012-payments.md']),
    });
    expect(kinds['Mails']).not.toHaveLength(0);
    expect(kinds['Server']).not.toContainEqual(expect.stringMatching(/\.test\.ts$/));
  });

  it('prints files that exist, each once in its kind', () => {
    for (const [domain, kinds] of all)
      for (const { name, files } of kinds) {
        expect(new Set(files).size, `${domain}: ${name}`).toBe(files.length);
        for (const file of pathsOf([{ name, about: '', files }]))
          expect(existsSync(path.join(ROOT, file)), file).toBe(true);
      }
  });

  it('assigns every job, table, call, page and scenario to a domain, except those that all domains share', () => {
    // The counters of the dashboard are the database's own.
    expect(left((file) => /^server\/jobs\/.*\.job\.ts$/.test(file))).toEqual([
      'server/jobs/upkeep/sum-counters.job.ts',
    ]);
    expect(left((file) => file.startsWith('server/db/tables/'))).toEqual(['server/db/tables/resemblance-keys.ts']);
    expect(left((file) => /^contract\/(domains|admin|admin\/forms)\/[^/]+\.ts$/.test(file))).toEqual([]);
    expect(left((file) => /^app\/routes\/.*(?<!\.test)\.tsx$/.test(file))).toEqual([
      'app/routes/admin/not-found.tsx',
      'app/routes/public/not-found.tsx',
      'app/routes/public/unsubscribe.tsx',
    ]);
    expect(left((file) => /^tests\/e2e\/.*\.e2e\.ts$/.test(file))).toEqual([]);
  });
});

describe('npm run where -- words of a change', () => {
  const entries = readEntries(ROOT);

  it('prints the expected file of every tried change first', () => {
    const tried = [
      ...readFileSync(path.join(ROOT, 'docs/where-to-change.md'), 'utf8').matchAll(/^\| ([^|`]+) \| `([^`]+)` \|$/gm),
    ].map(([, change = '', file = '']) => ({ change, file }));
    expect(tried.length).toBeGreaterThan(80);
    const missed = tried.flatMap(({ change, file }) => {
      const [first] = suggest(entries, change);
      return first?.file === file ? [] : [`${change}: ${first?.file}, expected ${file}`];
    });
    expect(missed).toEqual([]);
  });

  it('prints files that exist, and none for unknown words', () => {
    const found = suggest(entries, 'look of the vote ticket');
    expect(found.length).toBeGreaterThan(3);
    for (const { file } of found) expect(existsSync(path.join(ROOT, file)), file).toBe(true);
    expect(suggest(entries, 'xyzzy plugh')).toEqual([]);
  });
});
