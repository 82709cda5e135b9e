// Prepares a fresh checkout so that project code can run. Only Node's own modules may be imported: this runs before the
// dependencies are installed, on any Node from 20.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { supervise as run } from './process.mjs';
import { withStartLock } from './start-lock.mjs';

/** Root of the checkout. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
/** @param {string[]} parts */
const at = (...parts) => path.join(root, ...parts);

const LOCKFILE = at('package-lock.json');
const INSTALL_STAMP = at('node_modules', '.florka-lock');
const BUILD_STAMP = at('build', '.stamp');
const START_LOCK = at('.florka-start.lock');
/** Sources of a build: while they are unchanged, none is made. */
export const BUILD_INPUTS = [
  'app',
  'contract',
  'server',
  'packages/verify',
  'public',
  'vite.config.ts',
  'vite.worker.config.ts',
  'react-router.config.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
  'scripts/precompress.mjs',
  'scripts/lib/ascii-source.mjs',
  'scripts/lib/icon-imports.mjs',
  'scripts/lib/library-parts.mjs',
];
const OLDEST_NODE = /** @type {const} */ ([22, 22]);

/** @param {string} message */
const log = (message) => console.error(`[florka] ${message}`);
/** @param {number} since milliseconds since the epoch */
const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

/**
 * Prints one sentence and ends the process with code 1.
 * @param {string} message
 * @returns {never}
 */
export function fail(message) {
  log(message);
  process.exit(1);
}

/**
 * Runs a command in the checkout; see process.mjs.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('./process.mjs').Options} [options]
 */
export const supervise = (command, args, options = {}) => run(command, args, { cwd: root, ...options });

/**
 * Installing and building, one start at a time in this checkout.
 * @param {(own: (pid: number) => void) => Promise<void>} work
 */
const alone = (work) =>
  withStartLock(START_LOCK, work, () => log('Another start installs or builds in this folder; waiting for it…'));

/**
 * @param {string} entry a file or a folder
 * @returns {string[]}
 */
function filesBelow(entry) {
  const stat = statSync(entry, { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isDirectory()) return [entry];
  return readdirSync(entry)
    .sort()
    .flatMap((name) => filesBelow(path.join(entry, name)));
}

/** @param {string[]} files */
function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const bytes = readFileSync(file);
    hash.update(`${path.relative(root, file)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/** @param {string} file */
const readStamp = (file) => (existsSync(file) ? readFileSync(file, 'utf8').trim() : '');

/**
 * @param {string} target
 * @param {string} what beginning of the message when it is not
 */
function requireWritable(target, what) {
  try {
    accessSync(existsSync(target) ? target : root, constants.W_OK);
  } catch {
    fail(`${what}: this user has no right to write in ${existsSync(target) ? target : root}`);
  }
}

/**
 * Installs the dependencies with `npm ci` unless node_modules comes from this very lockfile. With `dev` the
 * development tools are needed too; an installation that has them serves both. Ends the process when npm fails.
 * @param {{ dev: boolean }} needs
 */
export async function ensureInstalled({ dev }) {
  if (!existsSync(LOCKFILE)) fail('The dependencies cannot be installed: package-lock.json is missing');
  const lock = hashOf([LOCKFILE]);
  const stamp = readStamp(INSTALL_STAMP);
  if (stamp === `${lock} full` || (!dev && stamp === `${lock} prod`)) return;

  // npm ci empties the folder, so it must not be a link to another one.
  if (lstatSync(at('node_modules'), { throwIfNoEntry: false })?.isSymbolicLink())
    fail(
      'The dependencies cannot be installed: node_modules is a link to another folder; remove it or update what it points to',
    );
  requireWritable(at('node_modules'), 'The dependencies cannot be installed');
  await alone(async (own) => {
    // The owner of the lock may have finished the work.
    const now = readStamp(INSTALL_STAMP);
    if (now !== `${lock} full` && (dev || now !== `${lock} prod`)) await install(lock, dev, own);
  });
}

/**
 * @param {string} lock hash of the lockfile
 * @param {boolean} dev
 * @param {(pid: number) => void} own
 */
async function install(lock, dev, own) {
  const started = Date.now();
  log('Installing dependencies (npm ci)…');
  rmSync(INSTALL_STAMP, { force: true });
  // Set explicitly: NODE_ENV=production would silently omit the development tools.
  const kinds = [dev ? '--include=dev' : '--omit=dev', '--include=optional'];
  // Scripts of packages are not needed by any of them; an npm that does not know `allowScripts` would run them.
  const args = ['ci', ...kinds, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const [command, argv] = npm?.endsWith('.js')
    ? [process.execPath, [npm, ...args]]
    : [process.platform === 'win32' ? 'npm.cmd' : 'npm', args];
  const { code, stopped } = await supervise(command, argv, {
    stdio: ['ignore', 2, 2],
    group: true,
    onSpawn: own,
  }).catch((/** @type {NodeJS.ErrnoException} */ error) =>
    fail(`The dependencies cannot be installed: npm cannot be started (${error.code})`),
  );
  if (stopped) process.exit(code || 1);
  if (code !== 0) fail(`The dependencies cannot be installed: npm ci ended with code ${code}, its message is above`);
  writeFileSync(INSTALL_STAMP, `${lock} ${dev ? 'full' : 'prod'}\n`);
  log(`Installed in ${seconds(started)}`);
}

/** @type {string | undefined} */
let chosenNode;

/**
 * Path of the Node that project code runs under: the one among the dependencies, or this one where that cannot run
 * (another platform or C library). Ends the process when neither is new enough.
 * @returns {string}
 */
function localNode() {
  if (chosenNode) return chosenNode;
  const windows = process.platform === 'win32';
  const name = `node-${windows ? 'win' : process.platform}-${process.arch}`;
  const binary = at('node_modules', name, 'bin', windows ? 'node.exe' : 'node');
  if (existsSync(binary) && spawnSync(binary, ['-v']).status === 0) {
    chosenNode = binary;
    return binary;
  }
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [needMajor, needMinor] = OLDEST_NODE;
  if (major < needMajor || (major === needMajor && minor < needMinor)) {
    fail(`Node ${OLDEST_NODE.join('.')} or newer is needed on this platform, and this is ${process.version}`);
  }
  chosenNode = process.execPath;
  return chosenNode;
}

/** The environment with the local Node and the installed tools first on the path. */
function localEnv(extra = {}) {
  const search = [path.dirname(localNode()), at('node_modules', '.bin'), process.env.PATH ?? ''];
  return { ...process.env, PATH: search.join(path.delimiter), ...extra };
}

/**
 * Runs a script or tool under the local Node.
 * @param {readonly string[]} args script, given from the root of the checkout or absolute, and its arguments
 * @param {import('./process.mjs').Options} [options] `env` is added to the environment
 */
export function runUnderNode(args, { env, ...options } = {}) {
  return supervise(localNode(), args, { ...options, env: localEnv(env) });
}

/**
 * Ends as a program under the local Node: replaces this process by it where Node can do that (22.15 and newer, not on
 * Windows), so that none remains in memory only to wait, and otherwise runs it as a child that ends with this process.
 *
 * @param {readonly string[]} args script, given from the root of the checkout, and its arguments
 * @param {Record<string, string>} env added to the environment
 * @returns {Promise<never>}
 */
export async function becomeUnderNode(args, env) {
  if (process.execve && process.platform !== 'win32') {
    process.chdir(root);
    const node = localNode();
    // A child process would be notified of npm's end by this process.
    const watch = process.env.npm_lifecycle_event
      ? ['--import', pathToFileURL(at('scripts/lib/end-with-npm.mjs')).href]
      : [];
    process.execve(node, [node, ...watch, ...args], localEnv(env));
  }
  // The channel closes when this process ends in any way, kill -9 included, and the server then stops itself.
  const { code } = await runUnderNode(args, { env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  process.exit(code);
}

/** Builds server and client unless the build comes from these very sources. Ends the process when the build fails. */
export async function ensureBuilt() {
  const files = BUILD_INPUTS.flatMap((name) => filesBelow(at(name))).filter((name) => !/\.test\.tsx?$/.test(name));
  const sources = hashOf(files);
  if (readStamp(BUILD_STAMP) === sources) return;

  requireWritable(at('build'), 'The application cannot be built');
  await alone(async (own) => {
    if (readStamp(BUILD_STAMP) !== sources) await build(sources, own);
  });
}

/**
 * @param {string} sources hash of what is built
 * @param {(pid: number) => void} own
 */
async function build(sources, own) {
  const started = Date.now();
  log('Building…');
  // Removed first and written last, so an interrupted build never counts as complete.
  rmSync(BUILD_STAMP, { force: true });
  const steps = /** @type {const} */ ([
    ['node_modules/@react-router/dev/bin.cjs', 'build', '--logLevel', 'warn'],
    ['node_modules/vite/bin/vite.js', 'build', '--config', 'vite.worker.config.ts', '--logLevel', 'warn'],
    ['scripts/precompress.mjs', 'build/client'],
  ]);
  for (const step of steps) {
    const { code, stopped } = await runUnderNode(step, {
      env: { NODE_ENV: 'production' },
      stdio: ['ignore', 2, 2],
      group: true,
      onSpawn: own,
    });
    if (stopped) process.exit(code || 1);
    if (code !== 0)
      fail(`The application cannot be built: ${path.basename(step[0])} ended with code ${code}, see above`);
  }
  writeFileSync(BUILD_STAMP, `${sources}\n`);
  log(`Built in ${seconds(started)}`);
}
