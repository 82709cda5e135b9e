// `npm run where voting`: the files of a domain in all trees. Without a name: the domains.
import fs from 'node:fs';
import path from 'node:path';

const list = (pattern: string): string[] =>
  fs
    .globSync(pattern)
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => fs.statSync(file).isFile())
    .sort();

const findDomains = (): string[] =>
  [...new Set(list('{server/domains,app/features}/*/**').map((file) => file.split('/')[2] ?? ''))].sort();

const ownFiles = (domain: string): string[] =>
  [
    `contract/domains/${domain}.{ts,test.ts}`,
    `contract/admin/${domain}.ts`,
    `server/domains/${domain}/**`,
    `server/db/tables/${domain}{,s}.ts`,
    `server/db/demo/${domain}.ts`,
    `app/features/${domain}/**`,
    `app/features/admin/${domain}/**`,
    `tests/e2e/${domain}*.e2e.ts`,
  ].flatMap(list);

/** Pages are named after their address and jobs after what they do, so both are found by what they import. */
const usersOf = (domain: string): string[] => [
  ...list('server/jobs/**/*.job.ts').filter((file) => fs.readFileSync(file, 'utf8').includes(`/domains/${domain}/`)),
  ...list('app/routes/**/*.tsx').filter((file) => fs.readFileSync(file, 'utf8').includes(`/features/${domain}/`)),
];

const wanted = process.argv[2];
const domains = findDomains();
if (wanted === undefined) {
  console.log(`Domains: ${domains.join(', ')}`);
} else if (domains.includes(wanted)) {
  for (const file of [...ownFiles(wanted), ...usersOf(wanted)]) console.log(file);
} else {
  console.error(`There is no domain ${wanted}. Domains: ${domains.join(', ')}`);
  process.exitCode = 1;
}
