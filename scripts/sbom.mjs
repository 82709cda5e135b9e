#!/usr/bin/env node
// `npm run --silent sbom > florka.cdx.json`: a bill of materials in CycloneDX 1.5 of what runs in production, on every
// platform, with hashes and the licences that the lockfile names. It reads the lockfile alone; nothing needs to be installed. npm
// itself writes it, of all packages: its own `--omit=dev` leaves out packages that both production and a development tool need.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application', '--loglevel=error'];
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
const { name, version, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
bill.metadata.component.name = name;
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const FOLDER = 'node_modules/';
/** Name and version of each package that `npm ci --omit=dev` installs on some platform, as the bill refers to it. */
const production = new Set(
  Object.entries(packages)
    .filter(([at, { dev, link }]) => at !== '' && !dev && !link)
    .map(([at, entry]) => `${entry.name ?? at.slice(at.lastIndexOf(FOLDER) + FOLDER.length)}@${entry.version}`),
);
/** @param {{ 'bom-ref': string }} component */
const isProduction = (component) => production.has(component['bom-ref']);
bill.components = bill.components.filter(isProduction);
const own = `${name}@${version}`;
bill.dependencies = bill.dependencies
  .filter((/** @type {{ ref: string }} */ { ref }) => ref === own || production.has(ref))
  .map((/** @type {{ ref: string, dependsOn?: string[] }} */ { ref, dependsOn = [] }) => ({
    ref,
    dependsOn: dependsOn.filter(
      (one) => production.has(one) && !(ref === own && devDependencies[one.slice(0, one.lastIndexOf('@'))]),
    ),
  }));
console.log(JSON.stringify(bill, null, 2));
