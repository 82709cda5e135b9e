import { describe, expect, it } from 'vitest';
import { findViolations, readSources, ruleNames, type SourceFile } from '../scripts/check-borders.ts';

const DOMAINS: SourceFile[] = ['voting', 'news', 'admin'].map((name) => ({
  path: `contract/domains/${name}.ts`,
  text: '',
}));

function rulesBrokenBy(path: string, text: string): string[] {
  return findViolations([...DOMAINS, { path, text }]).map((violation) => violation.rule);
}

const PLANTED: [rule: string, path: string, text: string][] = [
  ['contract-is-pure', 'contract/domains/voting.ts', "import type { Db } from '#server/db/client.ts';"],
  ['contract-is-pure', 'contract/domains/voting.ts', "export { person } from '../../tests/support/app/people.ts';"],
  ['limits-stay-light', 'contract/limits.ts', "import { z } from 'zod';"],
  ['limits-stay-light', 'contract/fields/wallets.ts', "import { checksummed } from './evm-checksum.ts';"],
  ['limits-stay-light', 'contract/fields/evm-checksum.ts', "import { keccak256 } from 'viem';"],
  [
    'app-takes-contract-types',
    'app/lib/useChecksum.ts',
    "import { checksummed } from '#contract/fields/evm-checksum.ts';",
  ],
  ['app-never-server', 'app/routes/public/home.tsx', "import type { Db } from '#server/db/client.ts';"],
  ['app-never-server', 'app/root.tsx', "const db = await import('../server/db/client.ts');"],
  ['app-never-server', 'app/root.tsx', "const all = import.meta.glob('/server/domains/**/*.ts');"],
  ['app-takes-contract-types', 'app/lib/api.ts', "import { contract } from '#contract/index.ts';"],
  ['app-takes-contract-types', 'app/lib/api.ts', "import { type contract } from '#contract/index.ts';"],
  ['app-takes-contract-types', 'app/lib/api.ts', "import {\n  contract,\n  other,\n} from '#contract/index.ts';"],
  ['app-takes-contract-types', 'app/features/voting/list.tsx', "import { f } from '#contract/admin/forms/a.ts';"],
  ['app-takes-contract-types', 'app/features/admin/list.tsx', "import { f } from '#contract/admin/news.ts';"],
  ['form-schemas-stay-light', 'contract/admin/forms/news.ts', "import { oc } from '@orpc/contract';"],
  ['form-schemas-stay-light', 'contract/admin/forms/news.ts', "import { news } from '../../domains/news.ts';"],
  ['form-schemas-stay-light', 'contract/fields/schemas.ts', "import { errors } from '../errors.ts';"],
  ['server-never-app', 'server/http/pages/pages.ts', "import { context } from '#app/context.ts';"],
  ['server-never-app', 'server/http/pages/renderer.ts', "import { Button } from '#app/ui/button.tsx';"],
  ['ui-knows-no-domain', 'app/ui/card.tsx', "import { VoteButton } from '../features/voting/vote-button.tsx';"],
  ['ui-knows-no-domain', 'app/lib/live.ts', "import '#app/routes/public/home.tsx';"],
  ['features-apart', 'app/features/voting/list.tsx', "import { Article } from '../news/article.tsx';"],
  ['domains-meet-in-services', 'server/domains/voting/votes.service.ts', "import { x } from '../news/news.api.ts';"],
  [
    'records-know-no-domain',
    'server/records/lists.ts',
    "import type { News } from '#server/domains/news/news.service.ts';",
  ],
  [
    'foundations-know-no-domain',
    'server/lib/audit.ts',
    "import type { News } from '#server/domains/news/news.service.ts';",
  ],
  ['foundations-know-no-domain', 'server/db/client.ts', "import { find } from '../domains/news/news.service.ts';"],
  ['foundations-know-no-domain', 'server/live/hub.ts', "import { pages } from '../http/pages/pages.ts';"],
  [
    'foundations-know-no-domain',
    'server/mail/texts/news.ts',
    "const news = await import('#server/domains/news/news.service.ts');",
  ],
  [
    'http-knows-interfaces',
    'server/http/api/api.ts',
    "import { castVote } from '#server/domains/voting/votes.service.ts';",
  ],
  [
    'http-knows-interfaces',
    'server/http/context.ts',
    "import type { Votes } from '../domains/voting/votes.service.ts';",
  ],
  ['policy-is-pure', 'server/domains/voting/votes.policy.ts', "import { db } from '#server/db/client.ts';"],
  ['policy-is-pure', 'server/domains/voting/votes.policy.ts', "import { z } from 'zod';"],
  ['verifier-stands-alone', 'packages/verify/log.ts', "import { env } from '#server/env.ts';"],
  ['verifier-stands-alone', 'packages/verify/log.ts', "import { z } from 'zod';"],
  ['app-loads-verifier-late', 'app/features/voting/a.ts', "import { verifyLedger } from '#verify/log.ts';"],
  ['providers-stand-alone', 'server/providers/mail/smtp.ts', "import { env } from '#server/env.ts';"],
  ['providers-stand-alone', 'server/providers/mail/smtp.ts', "import { s3 } from '../storage/s3.ts';"],
  ['mirror', 'server/domains/votes/votes.service.ts', ''],
  ['mirror', 'app/features/limits/list.tsx', ''],
];

const ALLOWED: [path: string, text: string][] = [
  ['contract/domains/voting.ts', "import { z } from 'zod';\nimport { name } from '../fields/schemas.ts';"],
  ['app/lib/api.ts', "import type { contract } from '#contract/index.ts';\nimport { MAX } from '#contract/limits.ts';"],
  ['app/features/admin/news/form.tsx', "import { newsForm } from '#contract/admin/forms/news.ts';"],
  ['contract/admin/forms/news.ts', "import { z } from 'zod';\nimport { imageOrNull } from '../../fields/schemas.ts';"],
  ['app/lib/useChecksum.ts', "const module = await import('#contract/fields/evm-checksum.ts');"],
  ['app/features/voting/a.ts', "import type { Report } from '#verify/log.ts';\nawait import('#verify/log.ts');"],
  ['server/domains/voting/a.ts', "import { parseKey } from '#verify/note.ts';"],
  ['contract/fields/evm-checksum.ts', "import { keccak_256 } from '@noble/hashes/sha3.js';"],
  ['app/lib/api.ts', "type Contract = typeof import('#contract/index.ts');"],
  ['app/features/voting/list.tsx', "import { row } from './row.tsx';\nimport { Button } from '#app/ui/button.tsx';"],
  ['app/ui/card.tsx', "// import { db } from '#server/db/client.ts';\n/*\nimport '#server/main.ts';\n*/"],
  ['app/ui/link.tsx', "const home = 'https://example.org'; // see '#server/db/client.ts'"],
  ['server/http/pages/renderer.ts', "import { context } from '#app/context.ts';"],
  ['server/domains/voting/votes.service.ts', "import { news } from '../news/news.service.ts';"],
  ['server/domains/voting/votes.service.ts', "import { readPage } from '#server/records/lists.ts';"],
  [
    'server/mail/mail.ts',
    "import { sql } from '#server/db/client.ts';\nimport type { Jobs } from '#server/jobs/queue.ts';",
  ],
  ['server/http/context.ts', "import type { Votes } from '#server/domains/voting/voting.port.ts';"],
  ['server/domains/voting/votes.service.ts', "import type { News } from '../news/news.port.ts';"],
  ['server/domains/voting/votes.policy.ts', "import type { Vote } from '#contract/domains/voting.ts';"],
  ['server/providers/mail/smtp.ts', "import { log } from '#server/lib/log.ts';\nimport net from 'node:net';"],
  ['server/providers/mail/smtp.ts', "import type { Mail } from './port.ts';\nimport x from 'nodemailer';"],
];

describe('import rules', () => {
  it.each(PLANTED)('%s catches %s: %s', (rule, path, text) => {
    expect(rulesBrokenBy(path, text)).toEqual([rule]);
  });

  it.each(ALLOWED)('allow %s: %s', (path, text) => {
    expect(rulesBrokenBy(path, text)).toEqual([]);
  });

  it('are each violated by a sample in this file', () => {
    const planted = [...PLANTED.map(([rule]) => rule), 'domains-form-no-cycle'];
    expect(new Set(planted)).toEqual(new Set(ruleNames));
  });

  it('report a cycle of domains once, with the imports that form it', () => {
    const files: SourceFile[] = [
      { path: 'server/domains/voting/votes.service.ts', text: "import { news } from '../news/news.service.ts';" },
      { path: 'server/domains/voting/votes.test.ts', text: "import { pay } from '../payments/payments.service.ts';" },
      {
        path: 'server/domains/news/news.service.ts',
        text: "import { a } from './a.ts';\nimport type { PaymentService } from '#server/domains/payments/payments.service.ts';",
      },
      {
        path: 'server/domains/payments/payments.service.ts',
        text: "import { vote } from '../voting/votes.service.ts';",
      },
    ];
    const cycles = findViolations([...DOMAINS, { path: 'contract/domains/payments.ts', text: '' }, ...files]);
    expect(cycles).toEqual([
      {
        rule: 'domains-form-no-cycle',
        where: 'server/domains/news',
        message:
          'is in a cycle of domains: news -> payments (server/domains/news/news.service.ts:2), ' +
          'payments -> voting (server/domains/payments/payments.service.ts:1), ' +
          'voting -> news (server/domains/voting/votes.service.ts:1)',
      },
    ]);
    // Without the one import there is none.
    expect(
      findViolations([...DOMAINS, ...files.slice(0, 3), { path: 'contract/domains/payments.ts', text: '' }]),
    ).toEqual([]);
  });

  it('report the line and the reason of a violation', () => {
    const text = "import fs from 'node:fs';\n\nimport {\n  a,\n} from '#server/a.ts';\n";
    expect(findViolations([{ path: 'app/root.tsx', text }])).toEqual([
      {
        rule: 'app-never-server',
        where: 'app/root.tsx:5',
        message: expect.stringMatching(/^must not import #server\/a\.ts: server code would/),
      },
    ]);
  });

  it('are checked on the files of this project', () => {
    expect(readSources(process.cwd()).map((file) => file.path)).toContain('server/db/embedded.ts');
  });
});
