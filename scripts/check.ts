// `npm run check`: all static checks of the code. Prints one line per tool, and the output of
// a tool only when it fails.
import { spawn } from 'node:child_process';

interface Tool {
  name: string;
  args: string[];
  /** Its output is printed also when it succeeds. */
  talks?: true;
  /** Tools whose input this one produces. */
  after?: Promise<unknown>;
}

async function run({ name, args, talks, after }: Tool): Promise<boolean> {
  await after;
  const started = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  const time = `${((performance.now() - started) / 1000).toFixed(1)} s`.padStart(7);
  if (code !== 0 || talks) console.log(output.trimEnd());
  console.log(`${code === 0 ? '✓' : '✗'} ${name.padEnd(10)} ${time}`);
  return code === 0;
}

const typegen = run({ name: 'typegen', args: ['node_modules/@react-router/dev/bin.cjs', 'typegen'] });
const results = await Promise.all([
  typegen,
  run({ name: 'types', args: ['node_modules/typescript/bin/tsc', '--noEmit'], after: typegen }),
  run({ name: 'dead code', args: ['node_modules/knip/bin/knip.js', '--no-progress'], after: typegen }),
  // Code that only a test uses. Files of tables are the exception: a test compares them with the database.
  run({
    name: 'test-only',
    args: ['node_modules/knip/bin/knip.js', '--no-progress', '--production', '--include', 'files,exports,types'],
    after: typegen,
  }),
  run({ name: 'lint', args: ['node_modules/@biomejs/biome/bin/biome', 'check', '.'] }),
  run({ name: 'borders', args: ['scripts/check-borders.ts'], talks: true }),
  run({ name: 'sizes', args: ['scripts/check-sizes.ts'], talks: true }),
  run({ name: 'queries', args: ['scripts/check-queries.ts'], talks: true }),
  run({ name: 'migrations', args: ['scripts/check-migrations.ts'] }),
  run({ name: 'variables', args: ['scripts/env-example.ts', '--check'] }),
  run({ name: 'field cost', args: ['scripts/field-cost.ts'], talks: true, after: typegen }),
  run({ name: 'words', args: ['scripts/check-words.ts'], talks: true }),
  run({ name: 'decisions', args: ['scripts/check-decisions.ts'] }),
  run({ name: 'lockfile', args: ['scripts/check-lock.mjs'] }),
]);
process.exitCode = results.every(Boolean) ? 0 : 1;
