import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fail, root, runUnderNode, supervise } from './bootstrap.mjs';

const PLAYWRIGHT_LIMIT_MS = 120_000;
const APT_LIMIT_MS = 300_000;

/** @type {Partial<Record<NodeJS.Platform, string[]>>} */
const INSTALL_PATHS = {
  // The headless shell is the same engine without a browser's own windows: the scenarios take a quarter less processor.
  linux: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].map(
    (name) => `/usr/bin/${name}`,
  ),
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA]
    .filter((dir) => dir !== undefined)
    .map((dir) => path.join(dir, 'Google/Chrome/Application/chrome.exe')),
};

/**
 * Its existence is not enough: Ubuntu's chromium only refers to snap, and downloads may lack system libraries.
 * @param {string} browser
 */
function works(browser) {
  if (!browser || !existsSync(browser)) return false;
  // Chrome on Windows opens a window instead of printing its version.
  if (process.platform === 'win32') return true;
  return spawnSync(browser, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
}

function playwrightsOwn() {
  const require = createRequire(path.join(root, 'package.json'));
  const playwright = require.resolve('@playwright/test');
  return createRequire(playwright)('playwright-core').chromium.executablePath();
}

const findInstalled = () => [...(INSTALL_PATHS[process.platform] ?? []), playwrightsOwn()].find(works);

/** @param {Promise<{ code: number, stopped: boolean }>} run */
async function attempt(run) {
  const { code, stopped } = await run.catch(() => ({ code: 1, stopped: false }));
  if (stopped) process.exit(code || 1);
  return code === 0;
}

/**
 * Path of a Chromium that runs here: CHROMIUM, one on this machine, or one installed now. Ends the process with one
 * sentence when there is none.
 * @returns {Promise<string>}
 */
export async function findOrInstallChromium() {
  const wanted = process.env.CHROMIUM;
  if (wanted) return works(wanted) ? wanted : fail(`CHROMIUM is ${wanted}, which cannot be started as a browser`);
  const present = findInstalled();
  if (present) return present;

  const playwright = ['node_modules/@playwright/test/cli.js', 'install', 'chromium'];
  await attempt(runUnderNode(playwright, { stdio: ['ignore', 2, 2], timeoutMs: PLAYWRIGHT_LIMIT_MS }));
  const downloaded = findInstalled();
  if (downloaded) return downloaded;

  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    /** @type {import('./process.mjs').Options} */
    const options = {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 2, 2],
      timeoutMs: APT_LIMIT_MS,
    };
    await attempt(supervise('apt-get', ['update'], options));
    const install = (/** @type {string} */ name) =>
      attempt(supervise('apt-get', ['install', '-y', '--no-install-recommends', name], options));
    // Older releases have only the whole browser.
    if (!(await install('chromium-headless-shell'))) await install('chromium');
  }
  return findInstalled() ?? fail('The browser tests need Chromium: install it, or set CHROMIUM to its path');
}
