import fs from 'node:fs';
import path from 'node:path';
import { a11yViolations, expect, expectNotice, OwnServer, rankingOf, rowOf, signUp, test, visit } from './support.ts';

/** The server of the built-in database with all its processes. */
function databaseProcesses(data: string): number[] {
  const [first = ''] = fs.readFileSync(path.join(data, 'pg/postmaster.pid'), 'utf8').split('\n');
  const children = fs.readdirSync('/proc').filter((entry) => {
    try {
      // The name may hold anything, but ends with the last bracket; the state and the parent follow.
      const stat = fs.readFileSync(`/proc/${entry}/stat`, 'utf8');
      return /^\d+$/.test(entry) && stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] === first;
    } catch {
      return false;
    }
  });
  return [first, ...children].map(Number);
}

function signal(data: string, name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of databaseProcesses(data))
    try {
      process.kill(pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}

const NOTICE = 'Sin conexión con nuestros datos: ves los datos de las';
const PAGES = ['/', '/vote', '/forum', '/en/vote', '/next', '/news'];

test('while the database is unavailable pages are shown as stale copies, and become current again by themselves', async ({
  page,
  browser,
  pageErrors,
}) => {
  test.setTimeout(600_000);
  test.skip(process.platform !== 'linux', 'processes are found in /proc');
  pageErrors.expectStatus(503, 500);
  const own = new OwnServer({ ADMIN_SECOND_FACTOR: 'off' });
  try {
    await own.start();
    const at = (to: string) => own.url + to;
    await page.goto(at('/vote'));
    const [candidate] = await rankingOf({ get: (to: string) => page.request.get(at(to)) } as typeof page.request);
    const name = candidate?.tokenName ?? '';
    await signUp({ post: (to: string, init: object) => page.request.post(at(to), init) } as typeof page.request);
    for (const to of PAGES) expect((await page.request.get(at(to))).status()).toBe(200);
    await page.goto('about:blank');

    signal(own.data, 'SIGSTOP');
    // Until the loss is noticed pages may still be answered as before.
    for (const to of PAGES)
      await expect
        .poll(() => page.request.get(at(to)).then((answer) => answer.headers()['warning']), { timeout: 180_000 })
        .toContain('110');

    const answer = await visit(page, at('/vote'));
    expect(answer?.status()).toBe(200);
    expect(answer?.headers()).toMatchObject({ 'cache-control': 'no-store', age: expect.stringMatching(/^\d+$/) });
    const notice = page.locator('#stale-notice');
    await expect(notice).toBeVisible();
    await expect(notice).toContainText(NOTICE);
    await expect(notice.locator('time')).toHaveText(/^\d\d:\d\d$/);
    await expect(page.getByText('En vivo', { exact: true })).toHaveCount(0);
    const buttons = await page.getByRole('main').getByRole('button').all();
    expect(buttons.length).toBeGreaterThan(5);
    for (const button of buttons) await expect(button).toBeDisabled();
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await a11yViolations(page)).toEqual([]);
    }

    // Links lead to copies of other pages; on those of the forum nothing can be written either.
    await page.getByRole('banner').getByRole('link', { name: 'Forum', exact: true }).first().click();
    await expect(page).toHaveURL(at('/forum'));
    await expect(notice).toBeVisible();
    for (const field of await page.getByRole('main').getByRole('textbox').all()) await expect(field).toBeDisabled();

    const plain = await browser.newContext({ javaScriptEnabled: false });
    const reader = await plain.newPage();
    await reader.goto(at('/en/vote'));
    await expect(reader.locator('#stale-notice')).toContainText('We can’t reach our data: you see the data of');
    await expect(reader.locator('#stale-notice time')).toHaveText(/^\d\d:\d\d UTC$/);
    await expect(reader.getByRole('main').getByRole('button').first()).toBeDisabled();
    await plain.close();

    await visit(page, at('/vote'));
    await expect(notice).toBeVisible();
    await page.evaluate(() => document.documentElement.setAttribute('data-same-document', 'yes'));
    signal(own.data, 'SIGCONT');
    await expect(notice).toBeHidden({ timeout: 180_000 });
    await expect(page.locator('html')).toHaveAttribute('data-same-document', 'yes');
    await rowOf(page, name)
      .getByRole('button', { name: `Votar por ${name}` })
      .click();
    await expectNotice(page, '¡Voto registrado!');
    await expect
      .poll(() => page.request.get(at('/vote')).then((fresh) => fresh.headers()['warning']), { timeout: 180_000 })
      .toBeUndefined();
  } finally {
    signal(own.data, 'SIGCONT');
    // The page is closed before its server: pending requests would fail.
    await page.close();
    await own.end();
  }
});
