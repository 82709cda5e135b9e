// Every decision in docs/adr is in its index, by its title.
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
process.exitCode = missing.length === 0 ? 0 : 1;
