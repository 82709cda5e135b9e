import type { Page } from '@playwright/test';
import {
  a11yViolations,
  expect,
  expectAfterRetries,
  expectNotice,
  listening,
  notice,
  otherBrowser,
  rankingOf,
  reviewVotes,
  signInAsAdmin,
  signUp,
  test,
  visit,
} from './support.ts';

/** The job runs the signals every 20 seconds. */
const HELD = { timeout: 75_000 };
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

test('a vote with a disposable e-mail is held by the review, and voided, restored and released on one screen while another is updated [AMB-213]', async ({
  page,
  browser,
  baseURL,
  database,
  pageErrors,
}) => {
  test.setTimeout(240_000);
  await signInAsAdmin(page);
  const [candidate] = await rankingOf(page.request);
  if (!candidate) throw new Error('no candidate');
  const total = async () => (await rankingOf(page.request)).find(({ id }) => id === candidate.id)?.totalVotes;
  await visit(page, '/en/admin/vote-review');
  await expect(page.getByText('No votes to review')).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
  await listening(page);

  const before = await total();
  const seller = await otherBrowser(browser);
  const to = (path: string) => `${baseURL}${path}`;
  const email = `bought-${Date.now()}@mailinator.com`;
  expect(
    (await seller.request.post(to('/api/auth/sign-up'), { data: { email, password: 'a-good-password' } })).ok(),
  ).toBe(true);
  const cast = await seller.request.post(to(`/api/candidates/${candidate.id}/votes`), { data: {} });
  expect(cast.status()).toBe(200);
  await reviewVotes(database);
  // The open screen shows it without a reload.
  const cluster = row(page, 'Disposable mail');
  await expect(cluster).toBeVisible(HELD);
  await expect(cluster).toContainText('mailinator.com');
  await expect(cluster).toContainText('1 of 1 under review');
  expect(await total()).toBe(before);
  expect(await a11yViolations(page)).toEqual([]);

  // On a tablet the buttons at its end cover nothing.
  await page.setViewportSize({ width: 768, height: 900 });
  const frame = page.locator('.admin-table-frame');
  await expect.poll(() => frame.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 900 });

  const colleague = await otherBrowser(browser);
  const other = await colleague.newPage();
  await signInAsAdmin(other);
  await visit(other, to('/en/admin/inbox?source=vote_cluster'));
  await listening(other);
  await other.getByRole('link', { name: /Review the votes/ }).click();
  await expect(row(other, 'Disposable mail')).toBeVisible();

  // By keyboard: the votes of the cluster, then the decision, which needs a reason.
  await page.getByRole('button', { name: /^See the votes: Disposable mail/ }).press('Enter');
  const votes = page.getByRole('dialog', { name: /Disposable mail/ });
  await expect(votes.getByRole('row')).toHaveCount(2);
  await expect(votes).toContainText('Votes put under review');
  const saved = page.waitForEvent('download');
  await votes.getByRole('link', { name: 'Export CSV: votes of the cluster' }).press('Enter');
  expect((await saved).suggestedFilename()).toMatch(/^cluster-votes-20\d\d-\d\d-\d\d\.csv$/);
  const rows = votes.getByRole('region', { name: 'Votes of the cluster' });
  for (const width of [768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => rows.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    // The hash of a network is one word.
    const hash = votes.locator('td[data-label="Network (hash)"]');
    const lines = (cell: Element) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range.getClientRects().length;
    };
    expect(await hash.evaluate(lines), `lines at ${width}`).toBe(1);
  }
  expect(await a11yViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Void: Disposable mail/ }).press('Enter');
  const question = page.getByRole('alertdialog');
  const confirm = question.getByRole('button', { name: 'Void' });
  await confirm.click();
  await expect(question.getByRole('textbox')).toHaveAttribute('aria-invalid', 'true');
  await question.getByRole('textbox').fill('Bought');
  await confirm.click();
  await expectNotice(page, '1 vote voided');
  await expect(page.getByText('No votes to review')).toBeVisible();
  await expect(row(other, 'Void')).toContainText('Reason: Bought');

  await page.getByRole('button', { name: 'Undo' }).click();
  await expectNotice(page, '1 vote under review again');
  await expect(row(page, 'Disposable mail')).toContainText('1 of 1 under review');
  await page.getByRole('button', { name: /^Release: Disposable mail/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Release' }).click();
  await expectNotice(page, '1 vote released');
  expect(await total()).toBe((before ?? 0) + 1);

  // In Spanish and on a phone, a tablet and a desktop: nothing overflows, nothing is out of reach.
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await visit(page, '/admin/vote-review?state=all');
    await expect(row(page, 'Correo desechable').first()).toBeVisible();
    expect(await a11yViolations(page)).toEqual([]);
  }
  // A list that cannot be read shows an error and can be loaded again.
  pageErrors.expectStatus(500);
  await page.route('**/rpc/admin/voteReview/list*', (route) => route.fulfill({ status: 500, json: {} }));
  await page.clock.install();
  await page.goto('/admin/vote-review?state=void');
  await expectAfterRetries(page, page.getByText('No se pudieron cargar los grupos'));
  await page.unroute('**/rpc/admin/voteReview/list*');
  await seller.close();
  await colleague.close();
});

test('the votes of a person are held by hand with a reason, shown live on another screen, and undone exactly', async ({
  page,
  browser,
  baseURL,
  database,
}) => {
  await signInAsAdmin(page);
  const [candidate] = await rankingOf(page.request);
  if (!candidate) throw new Error('no candidate');
  const total = async () => (await rankingOf(page.request)).find(({ id }) => id === candidate.id)?.totalVotes ?? 0;
  const voter = await otherBrowser(browser);
  const person = await signUp(voter.request);
  const without = await total();
  const cast = await voter.request.post(`${baseURL}/api/candidates/${candidate.id}/votes`, { data: {} });
  expect(cast.status()).toBe(200);
  const before = without + 1;
  await expect.poll(total).toBe(before);
  /** All public figures of the candidate, and the numbers of its votes that do not count. */
  const figures = async () => {
    const uncounted = 'select votes_under_review, votes_void from voting_candidates where id = $1';
    const { rows } = await database.query(uncounted, [candidate.id]);
    return [(await rankingOf(page.request)).find(({ id }) => id === candidate.id), rows];
  };
  const counted = await figures();
  const review = await page.context().newPage();
  await visit(review, '/en/admin/vote-review?signal=by_hand');
  await listening(review);

  await visit(page, `/en/admin/people/${person.id}`);
  const votes = page.getByRole('region', { name: 'Votes', exact: true });
  await votes.getByRole('button', { name: 'Hold votes for review' }).click();
  const question = page.getByRole('alertdialog', { name: 'Hold the votes of this person?' });
  await question.getByRole('button', { name: 'Hold votes for review' }).click();
  await expect(question.getByLabel('Reason', { exact: false })).toBeFocused();
  await question.getByLabel('Reason', { exact: false }).fill('Offered in a chat');
  await question.getByRole('button', { name: 'Hold votes for review' }).click();
  await expectNotice(page, '1 vote under review');
  await expect.poll(total).toBe(before - 1);
  await expect(votes.getByText('under review', { exact: true })).toBeVisible();
  await expect(votes.getByRole('button', { name: 'Hold votes for review' })).toHaveCount(0);
  await expect(row(review, 'Held by hand: Offered in a chat')).toContainText('1 of 1 under review');

  await notice(page).filter({ hasText: '1 vote under review' }).getByRole('button', { name: 'Undo' }).click();
  await expectNotice(page, '1 vote counts again');
  await expect.poll(figures).toEqual(counted);
  await expect(votes.getByRole('button', { name: 'Hold votes for review' })).toBeVisible();
});
