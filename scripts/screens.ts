// `npm run screens`: pictures of every screen with the demo's content, at three widths, by night and by day, for people who
// look at them. `npm run screens -- vote admin` makes those whose names begin so.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import sharp from 'sharp';
import { bareSiteEnv } from '#tests/support/processes/programs.ts';
import { type Screen, screensOf } from './screens/list.ts';
import { newAddress, type Site, seed } from './screens/seed.ts';

const OUT = path.resolve('docs/screens');
const WIDTHS = [360, 768, 1280] as const;
const SCHEMES = ['dark', 'light'] as const;
const PORT = 3_480;
const CONCURRENCY = 2;
/** Maximum height: below it a long page shows nothing new. */
const MAX_HEIGHT = 2_600;
/** Playwright's own where there is neither. */
const CHROMIUM = [process.env['CHROMIUM'] ?? '', '/usr/bin/chromium'].find((file) => file && existsSync(file));
const ADMIN = { email: 'admin@florka.test', password: 'admin-password' };

type State = Awaited<ReturnType<BrowserContext['storageState']>>;
interface Shot {
  width: number;
  colorScheme: (typeof SCHEMES)[number];
  image: Buffer;
}

async function serve(port: number, demo: boolean): Promise<Site & { stop: () => Promise<void> }> {
  const data = mkdtempSync(path.join(os.tmpdir(), 'florka-screens-'));
  // When started by root, the database server runs as another user, who needs access.
  chmodSync(data, 0o755);
  const server = spawn(process.execPath, ['build/server/index.js'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...bareSiteEnv(),
      NODE_ENV: 'production',
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: data,
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ADMIN_SECOND_FACTOR: 'off',
      // On by default on this machine, without the notice that it was set explicitly.
      DEMO: demo ? '' : 'off',
      MARKET_DATA: 'off',
      TRUST_PROXY: '1',
      LOG_LEVEL: 'error',
    },
  });
  const base = `http://localhost:${port}`;
  for (let attempts = 0; ; attempts++) {
    const ready = await fetch(`${base}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) break;
    if (attempts > 300 || server.exitCode !== null) throw new Error('The server did not start');
    await sleep(100);
  }
  return {
    base,
    data,
    stop: async () => {
      server.kill('SIGTERM');
      if (server.exitCode === null) await once(server, 'exit');
      rmSync(data, { recursive: true, force: true });
    },
  };
}

const settled = (page: Page) => page.locator('html[data-hydrated=yes]').waitFor();

async function signIn(context: BrowserContext, base: string, as: Screen['as']): Promise<void> {
  const page = await context.newPage();
  if (as === 'admin') {
    await page.goto(`${base}/admin-login`);
    await settled(page);
    await page.getByLabel('Email').fill(ADMIN.email);
    await page.getByLabel('Contraseña').fill(ADMIN.password);
    await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
    await page.waitForURL('**/admin');
  } else {
    const name = `lucia${Date.now().toString(36)}`;
    const answer = await context.request.post(`${base}/api/auth/sign-up`, {
      headers: { origin: base },
      data: { email: `${name}@florka.test`, password: 'una-clave-larga', username: name },
    });
    if (!answer.ok()) throw new Error(`Sign-up failed: ${await answer.text()}`);
  }
  await page.close();
}

async function main(wanted: string[]): Promise<void> {
  mkdirSync(OUT, { recursive: true });
  const full = await serve(PORT, true);
  const bare = await serve(PORT + 1, false);
  const browser = await chromium.launch({
    ...(CHROMIUM ? { executablePath: CHROMIUM } : {}),
    args: [
      '--lang=es-ES',
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      '--disable-background-networking',
    ],
  });
  try {
    const all = await screensOf(full.base, await seed(full));
    const screens = all.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.startsWith(word)));
    const states = new Map<string, State>();
    const stateOf = async ({ as, bare: isBare }: Screen): Promise<State | undefined> => {
      if (!as) return undefined;
      const key = `${as} ${isBare}`;
      const known = states.get(key);
      if (known) return known;
      const context = await browser.newContext({ extraHTTPHeaders: { 'x-forwarded-for': newAddress() } });
      await signIn(context, (isBare ? bare : full).base, as);
      const state = await context.storageState();
      states.set(key, state);
      await context.close();
      return state;
    };
    for (const screen of screens) await stateOf(screen);
    const waiting = screens.values();
    await Promise.all(
      Array.from({ length: CONCURRENCY }, async () => {
        for (const screen of waiting) {
          await shoot(browser, (screen.bare ? bare : full).base, screen, await stateOf(screen)).catch(
            (error: unknown) => {
              console.log(`${screen.name}: ${error instanceof Error ? error.message : error}`);
              process.exitCode = 1;
            },
          );
        }
      }),
    );
  } finally {
    await browser.close();
    await full.stop();
    await bare.stop();
  }
}

/** Loads a screen once; then its width and theme change, as in a window. */
async function shoot(browser: Browser, base: string, screen: Screen, storageState: State | undefined): Promise<void> {
  const context = await browser.newContext({
    colorScheme: SCHEMES[0],
    viewport: { width: WIDTHS[2], height: 900 },
    reducedMotion: 'reduce',
    bypassCSP: screen.html !== undefined,
    locale: 'es-ES',
    extraHTTPHeaders: { 'x-forwarded-for': newAddress() },
    ...(storageState ? { storageState } : {}),
  });
  context.setDefaultTimeout(15_000);
  try {
    const page = await context.newPage();
    await screen.prepare?.(page);
    if (screen.html === undefined) {
      await page.goto(base + screen.path);
      await settled(page);
    } else {
      // The images of the screens are ours.
      await page.goto(`${base}/robots.txt`);
      await page.setContent(screen.html);
    }
    await screen.before?.(page);
    await page.waitForLoadState('networkidle').catch(() => {});
    const shots: Shot[] = [];
    for (const width of screen.widths ?? WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      if (!screen.window) await page.evaluate(() => window.scrollTo(0, 0));
      const tall = await page.evaluate(() => document.documentElement.scrollHeight);
      const height = screen.window ? 900 : Math.min(Math.max(900, tall), MAX_HEIGHT);
      const beside = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (beside > 0) console.log(`${screen.name} at ${width}: scrolls sideways by ${beside} px`);
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        await sleep(100);
        const image = await page.screenshot({
          type: 'jpeg',
          quality: 88,
          ...(screen.window ? {} : { fullPage: true, clip: { x: 0, y: 0, width, height } }),
        });
        writeFileSync(path.join(OUT, `${screen.name}-${width}-${colorScheme}.jpg`), image);
        shots.push({ width, colorScheme, image });
      }
    }
    await sheet(
      screen.name,
      SCHEMES.flatMap((scheme) => shots.filter(({ colorScheme }) => colorScheme === scheme)),
    );
    console.log(screen.name);
  } finally {
    await context.close();
  }
}

/** All pictures of one screen side by side, at half their size. */
async function sheet(name: string, shots: Shot[]): Promise<void> {
  const small = await Promise.all(
    shots.map(async ({ width, image }) => {
      const shown = Math.round(width / (width > 800 ? 2 : 1.4));
      const { data, info } = await sharp(image).resize(shown).png().toBuffer({ resolveWithObject: true });
      return { input: data, width: shown, height: info.height };
    }),
  );
  let left = 8;
  const placed = small.map(({ input, width }) => {
    const at = { input, left, top: 8 };
    left += width + 8;
    return at;
  });
  await sharp({
    create: {
      width: left,
      height: Math.max(...small.map(({ height }) => height)) + 16,
      channels: 3,
      background: '#7a7a7a',
    },
  })
    .composite(placed)
    .png({ palette: true, effort: 1 })
    .toFile(path.join(OUT, `${name}.png`));
}

await main(process.argv.slice(2));
