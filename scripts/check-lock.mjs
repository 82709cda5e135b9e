// npm can write a lockfile that lacks optional platform packages of a dependency; it installs without a word here, and
// then every `npm ci` elsewhere fails. This lists each optional dependency the lockfile lacks.
import { readFileSync } from 'node:fs';

const { packages } = JSON.parse(readFileSync(process.argv[2] ?? 'package-lock.json', 'utf8'));

/**
 * Looks where Node would: beside the package, then in every node_modules above it.
 * @param {string} from path of the package that wants it, empty for the project
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

for (const line of missing) console.log(line);
if (missing.length > 0) process.exit(1);
