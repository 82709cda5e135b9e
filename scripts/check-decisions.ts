// Every decision in docs/adr is in its index, by its title; docs/decisions.md lists exactly the decisions on the specification that are cited.
import fs from 'node:fs';

const FOLDER = 'docs/adr';
const index = fs.readFileSync(`${FOLDER}/README.md`, 'utf8').split('\n');
const missing = fs
  .readdirSync(FOLDER)
  .filter((name) => /^\d{4}-.*\.md$/.test(name))
  .map((name) => {
    const title = /^# \d{4} (.+)$/m.exec(fs.readFileSync(`${FOLDER}/${name}`, 'utf8'))?.[1];
    return `- [${name.slice(0, 4)}](${name}) ${title}`;
  })
  .filter((line) => !index.includes(line));
for (const line of missing) console.log(`${FOLDER}/README.md lacks the line, under its subject: ${line}`);

const LIST = 'docs/decisions.md';
/** Ids such as AMB-72 in a text; of a range such as AMB-211..213 only the first. */
const idsIn = (text: string): string[] => text.match(/\bAMB-\d+/g) ?? [];

const listed = [...fs.readFileSync(LIST, 'utf8').matchAll(/^\| (AMB-\d+) \|/gm)].map(([, id]) => id ?? '');
const files = fs.globSync(
  [
    '{app,attack,bench,contract,docs,emulator,faults,packages,scripts,server,tests}/**/*.{ts,tsx,mjs,sql,md,css}',
    '*.md',
  ],
  { exclude: ['**/node_modules/**', LIST, 'CHANGELOG.md'] },
);
const cited = new Set(files.flatMap((file) => idsIn(fs.readFileSync(file, 'utf8'))));
const unlisted = [...cited].filter((id) => !listed.includes(id));
const uncited = listed.filter((id) => !cited.has(id));
for (const id of unlisted) console.log(`${LIST} lacks ${id}, which is cited`);
for (const id of uncited) console.log(`${LIST} lists ${id}, which nothing cites`);
process.exitCode = missing.length + unlisted.length + uncited.length === 0 ? 0 : 1;
