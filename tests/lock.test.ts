import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const lock = readFileSync(path.join(root, 'package-lock.json'), 'utf8');

/** What the check says of a lockfile in which one package is another. */
function check(change: Record<string, unknown>): { code: number | null; output: string } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'florka-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const copy = JSON.parse(lock);
  Object.assign(copy.packages['node_modules/zod'], change);
  writeFileSync(path.join(folder, 'lock.json'), JSON.stringify(copy));
  const { status, stdout } = spawnSync(process.execPath, ['scripts/check-lock.mjs', path.join(folder, 'lock.json')], {
    cwd: root,
    encoding: 'utf8',
  });
  return { code: status, output: stdout };
}

/** Installs a package that wants to run a script, from its lockfile; returns whether the script ran. */
function installs(npmrc: boolean): boolean {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'florka-scripts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const mark = path.join(folder, 'ran');
  const script = `node -e "require('fs').writeFileSync(process.argv[1], '')" "${mark}"`;
  const write = (at: string, content: object) => {
    mkdirSync(at, { recursive: true });
    writeFileSync(path.join(at, 'package.json'), JSON.stringify(content));
  };
  const npm = (at: string, ...args: string[]) => {
    const own = ['--offline', '--no-audit', '--no-fund', `--cache=${path.join(folder, 'cache')}`];
    const { status, stderr } = spawnSync('npm', [...args, ...own], { cwd: at, encoding: 'utf8', env: ENV });
    expect(status, stderr).toBe(0);
  };
  write(path.join(folder, 'stranger'), { name: 'stranger', version: '1.0.0', scripts: { install: script } });
  npm(path.join(folder, 'stranger'), 'pack', `--pack-destination=${folder}`);
  const project = path.join(folder, 'project');
  write(project, { name: 'project', version: '1.0.0', dependencies: { stranger: 'file:../stranger-1.0.0.tgz' } });
  npm(project, 'install', '--package-lock-only');
  if (npmrc) copyFileSync(path.join(root, '.npmrc'), path.join(project, '.npmrc'));
  npm(project, 'ci');
  expect(existsSync(path.join(project, 'node_modules', 'stranger'))).toBe(true);
  return existsSync(mark);
}
/** Without what npm hands on to its children, and without the settings of whoever runs the test. */
const ENV = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
  npm_config_userconfig: path.join(os.tmpdir(), 'no-npmrc'),
};

it.skipIf(process.platform === 'win32')(
  'npm runs no script of a package, whatever its version; without our settings it would',
  () => {
    expect(installs(true)).toBe(false);
    expect(installs(false)).toBe(true);
  },
);

it('the lockfile passes its check', () => expect(check({})).toEqual({ code: 0, output: '' }));
it.each([
  ['a script that nobody listed', { hasInstallScript: true }, 'runs a script that is not listed'],
  ['a source other than a registry', { resolved: 'git+ssh://git@example.test/zod.git#abc' }, 'is from git+ssh'],
  ['an address of a mirror', { resolved: 'https://mirror.example.test/zod.tgz' }, 'is from https://mirror'],
  ['no hash', { integrity: undefined }, 'has no SHA-512 hash'],
  ['a weak hash', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, 'has no SHA-512 hash'],
])('the check finds %s', (_what, change, problem) => {
  const { code, output } = check(change);
  expect(code).toBe(1);
  expect(output).toContain(`node_modules/zod ${problem}`);
});
