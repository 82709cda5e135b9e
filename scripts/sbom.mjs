#!/usr/bin/env node
// `npm run --silent sbom > florka.cdx.json`: a bill of materials in CycloneDX 1.5 of what runs in production, on every
// platform, with licences and hashes. It reads the lockfile alone; nothing needs to be installed. npm itself writes it.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const args = [
  'sbom',
  '--package-lock-only',
  '--omit=dev',
  '--sbom-format=cyclonedx',
  '--sbom-type=application',
  '--loglevel=error',
];
const npm = process.env.npm_execpath;
const [command, argv] = npm?.endsWith('.js') ? [process.execPath, [npm, ...args]] : ['npm', args];
const { status, stdout, error } = spawnSync(command, argv, {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
  maxBuffer: 1 << 26,
});
if (status !== 0) {
  console.error(`npm sbom failed (${error?.message ?? `code ${status}`}); npm 10 or newer is needed`);
  process.exit(1);
}
const bill = JSON.parse(stdout);
// npm takes the name of the folder.
bill.metadata.component.name = JSON.parse(readFileSync('package.json', 'utf8')).name;
console.log(JSON.stringify(bill, null, 2));
