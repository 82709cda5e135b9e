import fs from 'node:fs';
import { createRequire } from 'node:module';
import { AxeBuilder } from '@axe-core/playwright';
import {
  type APIRequestContext,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Locator,
  type Page,
  test as playwright,
  type Route,
} from '@playwright/test';
import type pg from 'pg';
import { OwnServer } from './own-server.ts';

let addresses = 0;
/** Each test person has an IP address and a network of their own; the process id keeps those of a restarted worker apart. */
const salt = process.pid % 200;
const newAddress = () => `10.${salt}.${++addresses % 250}.${Math.floor(addresses / 250) + 1}`;

/** What must never happen on any screen: errors in the console, exceptions, violated policies. */
export interface PageErrors {
  seen: string[];
  /** An answer of this status is part of the scenario. */
  expectStatus(...statuses: number[]): void;
  /** Loads that fail with these words are part of the scenario. */
  expectLoss(words: string): void;
}

/** Collects the errors of a browser. */
export function watch(context: BrowserContext): PageErrors {
  const seen: string[] = [];
  const expected = new Set<number>();
  const losses: string[] = [];
  context.on('console', (message) => {
    if (message.type() !== 'error') return;
    const status = Number(/status of (\d{3})/.exec(message.text())?.[1]);
    if (losses.some((words) => message.text().includes(words))) return;
    if (!expected.has(status)) seen.push(`${message.page()?.url()}: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (fault) => seen.push(`${fault.page()?.url()}: ${fault.error()}`));
  return {
    seen,
    expectStatus(...statuses) {
      for (const status of statuses) expected.add(status);
    },
    expectLoss: (words) => void losses.push(words),
  };
}

/**
 * Signs somebody up over the API, in the browser of `context`; the account is made two days old, because new members wait longer between
 * posts.
 */
export type MakeMember = (
  context: BrowserContext,
  over?: { username?: string; role?: 'user' | 'moderator' },
) => Promise<Person>;

export const test = playwright.extend<
  { pageErrors: PageErrors; member: MakeMember; closeContexts: undefined },
  { site: OwnServer; database: pg.Client }
>({
  /** The server that the scenarios of one worker share; other workers have servers of their own. */
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs.
    async ({}, use) => {
      // admin.e2e.ts sets a second factor up on a server of its own.
      const site = new OwnServer({ ADMIN_SECOND_FACTOR: 'off' });
      try {
        await site.start();
        // Eight accounts that vote within three seconds of their sign-up are put under review, and scenarios are that fast: the
        // job would take their votes from the totals that other scenarios read. Those about the review queue it.
        const database = await site.database();
        await database.query(`delete from jobs.schedule where name = 'review-votes'`);
        await database.end();
        await use(site);
      } finally {
        await site.end();
      }
    },
    { scope: 'worker', timeout: 150_000 },
  ],
  /** A connection to the database of `site`. */
  database: [
    async ({ site }, use) => {
      const database = await site.database();
      try {
        await use(database);
      } finally {
        await database.end();
      }
    },
    { scope: 'worker' },
  ],
  member: ({ database }, use) =>
    use(async (context, { username, role = 'user' } = {}) => {
      const person = await signUp(context.request, username === undefined ? {} : { username });
      await database.query(`update users set created_at = now() - interval '2 days' where id = $1`, [person.id]);
      await database.query('update user_roles set role = $2 where user_id = $1', [person.id, role]);
      return person;
    }),
  baseURL: ({ site }, use) => use(site.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs.
  extraHTTPHeaders: async ({}, use) => use({ 'x-forwarded-for': newAddress() }),
  /** Closes the other browser contexts of a scenario: their pages would keep sending requests until the worker ends. */
  closeContexts: [
    async ({ browser, context }, use) => {
      const before = new Set([...browser.contexts(), context]);
      await use(undefined);
      await Promise.all(
        browser
          .contexts()
          .filter((one) => !before.has(one))
          .map((one) => one.close()),
      );
    },
    { auto: true },
  ],
  pageErrors: [
    async ({ context }, use) => {
      const pageErrors = watch(context);
      await use(pageErrors);
      expect(pageErrors.seen).toEqual([]);
    },
    { auto: true },
  ],
});
export { expect, OwnServer };

/** Waits for running animations: colours are mixed while something fades in or out. */
const settled = (page: Page) =>
  page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        // Scroll-driven and endless animations never finish.
        .filter((one) => one.timeline === document.timeline)
        .filter((one) => one.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
        .map((one) => one.finished),
    ),
  );

/** The minified axe: AxeBuilder would inject the full one, twice for each check. */
const AXE = fs.readFileSync(
  createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);

/**
 * Accessibility violations of the page, or of one part of it, as rule and markup. In both themes:
 * the other one is set temporarily, and only the rules about colours are checked again.
 */
export async function a11yViolations(page: Page, within?: string): Promise<string[]> {
  await settled(page);
  // In the page itself, and without results of passed rules: a fifth of the time for the same rules.
  // Frames of other origins would need the other mode; there are none.
  expect(page.frames()).toHaveLength(1);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const look = async (options: Parameters<AxeBuilder['options']>[0], light = '') => {
    const axe = new AxeBuilder({ page, axeSource: 'void 0' })
      .setLegacyMode(true)
      // Without a second load of all style sheets for a rule that is not among these.
      .options({ resultTypes: ['violations'], preload: { assets: ['media'] }, ...options });
    const { violations } = await (within ? axe.include(within) : axe).analyze();
    return violations.map(({ id, nodes }) => `${light}${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  };
  const found = await look({
    rules: { 'target-size': { enabled: true }, 'label-content-name-mismatch': { enabled: true } },
  });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 0) found.push(`the page scrolls ${wide} px sideways`);
  const before = await page.evaluate(() => {
    const { dataset } = document.documentElement;
    const chosen = dataset['theme'];
    const dark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    dataset['theme'] = dark ? 'light' : 'dark';
    return chosen;
  });
  await settled(page);
  found.push(...(await look({ runOnly: ['color-contrast', 'link-in-text-block'] }, 'in the other light, ')));
  await page.evaluate((chosen) => {
    if (chosen) document.documentElement.dataset['theme'] = chosen;
    else delete document.documentElement.dataset['theme'];
  }, before);
  return found;
}

/** A separate browser context, with another IP address. */
export const otherBrowser = (browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> =>
  browser.newContext({ ...options, extraHTTPHeaders: { 'x-forwarded-for': newAddress() } });

export interface Person {
  id: string;
  email: string;
  username: string;
  password: string;
}

let people = 0;
/** Signs somebody up over the API; the cookie stays with `request`, so with its browser. */
export async function signUp(request: APIRequestContext, over: { username?: string } = {}): Promise<Person> {
  const key = `${Date.now().toString(36)}${++people}`;
  const email = `visitor-${key}@florka.test`;
  const password = 'a-good-password';
  const response = await request.post('/api/auth/sign-up', { data: { email, password, ...over } });
  expect(response.status()).toBe(200);
  const { id, username } = (await response.json()) as Person;
  return { id, email, username, password };
}

/** Queues the review of new votes, which runs every 20 seconds for a minute from then on. */
export const reviewVotes = (database: pg.Client) =>
  database.query(`insert into jobs.job (name, data) values ('review-votes', '{}')`);

/** Puts a scheduled job into the queue now and waits until it is completed, instead of waiting for its next minute. */
export async function runJob(database: pg.Client, name: string): Promise<void> {
  const { rows } = await database.query<{ id: string }>(
    `insert into jobs.job (name, data) values ($1, '{}') returning id`,
    [name],
  );
  const state = async () =>
    (await database.query<{ state: string }>('select state from jobs.job where id = $1', [rows[0]?.id])).rows[0]?.state;
  await expect.poll(state, { timeout: 30_000, intervals: [200] }).toBe('completed');
}

/** Signs the page's browser in as the first admin; the shared server requires no second factor of its staff. */
export async function signInAsAdmin(page: Page): Promise<void> {
  const data = { email: 'admin@florka.test', password: 'admin-password' };
  expect((await page.request.post('/api/auth/sign-in', { data })).status()).toBe(200);
}

/** Opens a page and waits until it is hydrated. */
export async function visit(page: Page, path: string) {
  const response = await page.goto(path);
  await ready(page);
  return response;
}
export const ready = (page: Page) => expect(page.locator('html')).toHaveAttribute('data-hydrated', 'yes');
/** Waits until the stream of live events is open. */
export const listening = (page: Page) => expect(page.locator('html')).toHaveAttribute('data-live', 'on');

/**
 * Waits for what a page shows once a read has failed for good, without the pauses between its retries (TIME-26). The page
 * must have been opened after `page.clock.install()`.
 */
export const expectAfterRetries = (page: Page, failure: Locator) =>
  expect(async () => {
    await page.clock.fastForward(10_000);
    await expect(failure).toBeVisible({ timeout: 300 });
  }).toPass({ timeout: 30_000 });

/** Holds the next request to addresses of this pattern, or the next ones; the returned function releases them. */
export async function heldRequest(page: Page, pattern: string, times = 1): Promise<() => void> {
  let release = () => {};
  const wait = new Promise<void>((resolve) => {
    release = resolve;
  });
  const hold = async (route: Route) => {
    await wait;
    await route.continue();
  };
  await page.route(pattern, hold, { times });
  return release;
}

/**
 * Changes what the server answers to matching calls, until the returned function is called. The route itself stays: removed during a call that
 * the page makes by itself, it would make the handler fail.
 *
 * @param change returns what the page gets instead of the answer's JSON.
 */
export async function changeAnswers<Json extends object>(
  page: Page,
  pattern: string,
  change: (json: Json) => object,
): Promise<() => void> {
  let active = true;
  await page.route(pattern, async (route) => {
    if (!active) return route.fallback();
    const response = await route.fetch();
    const { json } = (await response.json()) as { json: Json };
    await route.fulfill({ response, json: { json: change(json) } });
  });
  return () => {
    active = false;
  };
}

/** Holds the next call of a procedure of the back office; the returned function releases it. */
export const held = (page: Page, procedure: string) => heldRequest(page, `**/rpc/admin/${procedure}*`);

/** The notice on screen; there is one at a time. */
export const notice = (page: Page): Locator => page.locator('[data-sonner-toast][data-visible=true]');
export async function expectNotice(page: Page, title: string, text = ''): Promise<void> {
  const shown = notice(page).filter({ has: page.getByText(title, { exact: true }) });
  await expect(shown).toBeVisible();
  if (text) await expect(shown.getByText(text, { exact: true })).toBeVisible();
}

/** Names of the controls below the visible notice; null without a notice. */
export const coveredByNotice = (page: Page): Promise<string[] | null> =>
  page.evaluate(() => {
    const over = document.querySelector('[data-sonner-toast][data-visible="true"]')?.getBoundingClientRect();
    if (!over) return null;
    return [...document.querySelectorAll<HTMLElement>('a, button, input, select, textarea')]
      .filter((one) => !one.closest('[data-sonner-toaster]') && one.checkVisibility())
      .filter((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        return left < over.right && right > over.left && top < over.bottom && bottom > over.top;
      })
      .map((one) => one.innerText || (one.getAttribute('aria-label') ?? one.tagName));
  });

export interface Candidate {
  id: string;
  tokenName: string;
  tokenSymbol: string;
  tokenSlug: string;
  totalVotes: number;
  orderIndex: number;
}
export const rankingOf = async (request: APIRequestContext): Promise<Candidate[]> =>
  ((await (await request.get('/api/candidates?limit=100')).json()) as { items: Candidate[] }).items;

/** The row of a candidate in the ranking. */
export const rowOf = (page: Page, name: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });
export const placeOf = (page: Page, name: string): Locator => rowOf(page, name).locator('.rank-place');
export const votesOf = (page: Page, name: string): Locator => rowOf(page, name).locator('.rank-votes > :first-child');

/** The address of those whose answers get lost. */
const LOSSES_FROM = '10.201.7.7';
/** The next calls of a procedure reach the server, and their answers get lost. */
export const loseAnswers = (page: Page, procedure: string, times = 1) =>
  page.route(
    `**/rpc/${procedure}`,
    async (route) => {
      const request = route.request();
      const { cookie = '', origin = '' } = await request.allHeaders();
      // Not by the browser: it would keep the cookies of an answer that it never gets.
      const answer = await fetch(request.url(), {
        method: 'POST',
        headers: { cookie, origin, 'content-type': 'application/json', 'x-forwarded-for': LOSSES_FROM },
        body: request.postData(),
      });
      // Printed with a failure: whether the server accepted what the browser never learns.
      const body = `${procedure}: ${answer.status} ${await answer.text()}`;
      await test.info().attach('lost answer', { body, contentType: 'text/plain' });
      await route.abort('connectionreset');
    },
    { times },
  );
