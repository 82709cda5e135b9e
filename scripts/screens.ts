// `npm run screens`: pictures of every screen with the demo's content, at three widths, by night and by day, for people who
// look at them. `npm run screens -- vote admin` makes those whose names begin so.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import sharp from 'sharp';

const OUT = path.resolve('docs/screens');
const WIDTHS = [360, 768, 1280] as const;
const SCHEMES = ['dark', 'light'] as const;
/** Far down a long page nothing new is seen. */
const TALLEST = 2_600;
/** Playwright's own where there is neither. */
const CHROMIUM = [process.env['CHROMIUM'] ?? '', '/usr/bin/chromium'].find((file) => file && existsSync(file));
const ADMIN = { email: 'admin@florka.test', password: 'admin-password' };

interface Screen {
  name: string;
  path: string;
  as?: 'member' | 'admin';
  /** What to do before the picture. */
  before?: (page: Page) => Promise<unknown>;
}

const press = (name: string) => async (page: Page) => page.getByRole('button', { name, exact: true }).first().click();

async function fillWizard(page: Page): Promise<void> {
  const fill = (label: string, value: string) => page.getByLabel(label, { exact: true }).fill(value);
  await fill('Name', 'Ajolote de plata');
  await fill('Ticker', 'AJO');
  await fill('Description', 'Un token de lago para quien cuida el agua.');
  await page.getByLabel('Blockchain network', { exact: true }).selectOption({ label: 'Ethereum' });
  await fill('Owner wallet address', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed');
  await fill('Contact e-mail', 'ana@florka.test');
  await fill('Telegram username', '@ana');
}
const wizardStep = (steps: number) => async (page: Page) => {
  await fillWizard(page);
  for (let step = 0; step < steps; step++) {
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await sleep(400);
  }
};

async function screensOf(base: string): Promise<Screen[]> {
  const read = async <T>(address: string) => (await (await fetch(base + address)).json()) as T;
  const slugOf = async (address: string) =>
    (await read<{ items: { tokenSlug: string }[] }>(address)).items[0]?.tokenSlug;
  const next = (await read<{ items: { id: string }[] }>('/api/next-projects')).items[0]?.id;
  const news = (await read<{ items: { id: string }[] }>('/api/news')).items[0]?.id;
  return [
    { name: 'home', path: '/' },
    { name: 'home-new', path: '/?tab=new' },
    { name: 'home-en', path: '/en' },
    { name: 'vote', path: '/vote' },
    { name: 'token-project', path: `/token/${await slugOf('/api/projects')}` },
    { name: 'token-candidate', path: `/token/${await slugOf('/api/candidates')}` },
    { name: 'token-next', path: `/token/${next}` },
    { name: 'token-missing', path: '/token/nobody' },
    { name: 'next', path: '/next' },
    { name: 'news', path: '/news' },
    { name: 'news-empty', path: '/news?q=zzzz' },
    { name: 'news-item', path: `/news/${news}` },
    { name: 'forum', path: '/forum' },
    { name: 'forum-member', path: '/forum', as: 'member' },
    { name: 'create-1', path: '/create' },
    { name: 'create-1-faults', path: '/create', before: press('Next') },
    { name: 'create-2', path: '/create', before: wizardStep(1) },
    { name: 'create-3', path: '/create', before: wizardStep(2) },
    { name: 'create-4', path: '/create', before: wizardStep(3) },
    { name: 'create-5', path: '/create', before: wizardStep(4) },
    { name: 'publish', path: '/publish' },
    { name: 'auth', path: '/auth' },
    { name: 'saved', path: '/saved' },
    { name: 'saved-member', path: '/saved', as: 'member' },
    { name: 'account', path: '/account', as: 'member' },
    { name: 'not-found', path: '/nowhere' },
    { name: 'admin-login', path: '/admin-login' },
    { name: 'admin-refused', path: '/admin', as: 'member' },
    ...[
      ['admin', ''],
      ['inbox'],
      ['audit'],
      ['projects'],
      ['next-projects'],
      ['news'],
      ['votes'],
      ['votes/rounds'],
      ['forum'],
      ['moderator-requests'],
      ['users'],
      ['complete-users'],
      ['submissions'],
      ['token-creation'],
      ['token-creation?tab=create'],
      ['token-creation?tab=networks'],
      ['networks'],
    ].map(
      ([name = '', address = name]): Screen => ({
        name: name === 'admin' ? 'admin' : `admin-${name.replace(/[^a-z]+/g, '-')}`,
        path: `/admin${address && `/${address}`}`,
        as: 'admin',
      }),
    ),
    { name: 'admin-project-form', path: '/admin/projects', as: 'admin', before: press('Nuevo Proyecto') },
    { name: 'admin-news-form', path: '/admin/news', as: 'admin', before: press('Nueva Noticia') },
  ];
}

async function serve(data: string): Promise<{ base: string; stop: () => Promise<void> }> {
  const port = 3_480;
  const server = spawn(process.execPath, ['build/server/index.js'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: data,
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ADMIN_SECOND_FACTOR: 'off',
      LOG_LEVEL: 'error',
    },
  });
  const base = `http://localhost:${port}`;
  for (let tries = 0; ; tries++) {
    const ready = await fetch(`${base}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) break;
    if (tries > 300 || server.exitCode !== null) throw new Error('The server does not start');
    await sleep(100);
  }
  return {
    base,
    stop: async () => {
      server.kill('SIGTERM');
      if (server.exitCode === null) await once(server, 'exit');
    },
  };
}

const settled = (page: Page) => page.locator('html[data-hydrated=yes]').waitFor();

async function signIn(context: BrowserContext, base: string, as: Screen['as']): Promise<void> {
  if (!as) return;
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
    if (!answer.ok()) throw new Error(`No member: ${await answer.text()}`);
  }
  await page.close();
}

async function main(wanted: string[]): Promise<void> {
  mkdirSync(OUT, { recursive: true });
  const data = mkdtempSync(path.join(os.tmpdir(), 'florka-screens-'));
  const { base, stop } = await serve(data);
  const browser = await chromium.launch({
    ...(CHROMIUM ? { executablePath: CHROMIUM } : {}),
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-background-networking'],
  });
  try {
    const all = await screensOf(base);
    const screens = all.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.startsWith(word)));
    const states = new Map<Screen['as'], Awaited<ReturnType<BrowserContext['storageState']>>>();
    for (const as of new Set(screens.map((screen) => screen.as))) {
      const context = await browser.newContext();
      await signIn(context, base, as);
      states.set(as, await context.storageState());
      await context.close();
    }
    for (const screen of screens) {
      const shots: { width: number; image: Buffer }[] = [];
      for (const colorScheme of SCHEMES)
        for (const width of WIDTHS) {
          const storageState = states.get(screen.as);
          const context = await browser.newContext({
            colorScheme,
            viewport: { width, height: 900 },
            reducedMotion: 'reduce',
            ...(storageState ? { storageState } : {}),
          });
          const page = await context.newPage();
          await page.goto(base + screen.path);
          await settled(page).catch(() => console.log(`${screen.name}: scripts did not start`));
          await screen.before?.(page);
          await sleep(900);
          const beside = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
          if (beside > 0) console.log(`${screen.name} at ${width}: scrolls sideways by ${beside} px`);
          const tall = await page.evaluate(() => document.documentElement.scrollHeight);
          const height = Math.min(Math.max(900, tall), TALLEST);
          const image = await page.screenshot({ fullPage: true, clip: { x: 0, y: 0, width, height } });
          shots.push({ width, image });
          await sharp(image)
            .webp({ quality: 70 })
            .toFile(path.join(OUT, `${screen.name}-${width}-${colorScheme}.webp`));
          await context.close();
        }
      await sheet(screen.name, shots);
      console.log(screen.name);
    }
  } finally {
    await browser.close();
    await stop();
    rmSync(data, { recursive: true, force: true });
  }
}

/** All pictures of one screen side by side, at half their size. */
async function sheet(name: string, shots: { width: number; image: Buffer }[]): Promise<void> {
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
    .png({ palette: true })
    .toFile(path.join(OUT, `${name}.png`));
}

await main(process.argv.slice(2));
