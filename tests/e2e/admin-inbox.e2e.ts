import type { APIRequestContext } from '@playwright/test';
import {
  a11yViolations,
  expect,
  expectNotice,
  notice,
  otherBrowser,
  signInAsAdmin,
  signUp,
  test,
  visit,
} from './support.ts';

/** Writes a post as a new member, and reports it as another one. */
async function reported(request: APIRequestContext, title: string): Promise<void> {
  await signUp(request);
  const made = await request.post('/api/forum/posts', { data: { title, content: 'Demasiado bueno.' } });
  const { id } = (await made.json()) as { id: string };
  await signUp(request);
  const report = await request.post('/api/forum/reports', { data: { what: 'post', id, reason: 'scam' } });
  expect(report.ok()).toBe(true);
}

test('a moderator of the team takes work and gives it back from the notice, and answers a report only after a question', async ({
  page,
  request,
  browser,
}) => {
  const key = Date.now().toString(36);
  const title = `Denunciado ${key}`;
  await reported(request, title);
  const moderator = await signUp(request, { username: `Turno ${key}` });
  await signInAsAdmin(page);
  const given = await page.request.put(`/api/admin/roles/${moderator.id}`, {
    data: { role: 'admin', staffRoles: ['moderator'] },
  });
  expect(given.ok()).toBe(true);

  const theirs = await (await otherBrowser(browser)).newPage();
  const answers: number[] = [];
  theirs.on('response', (response) => answers.push(response.status()));
  const { email, password } = moderator;
  expect((await theirs.request.post('/api/auth/sign-in', { data: { email, password } })).status()).toBe(200);
  await visit(theirs, '/admin/inbox?source=report');
  await theirs.getByRole('button', { name: `Tomar: ${title}` }).click();
  await expectNotice(theirs, 'Es tuyo');
  await notice(theirs).getByRole('button', { name: 'Deshacer' }).click();
  await expectNotice(theirs, 'Queda libre');
  await expect(theirs.getByRole('button', { name: `Tomar: ${title}` })).toBeVisible();

  await theirs.getByRole('button', { name: `Mantener: ${title}` }).click();
  const question = theirs.getByRole('alertdialog', { name: '¿Mantener este texto?' });
  await expect(question).toContainText('sus denuncias quedan cerradas');
  await question.getByRole('button', { name: 'Cancelar' }).click();
  await expect(theirs.getByRole('article', { name: title })).toBeVisible();
  await visit(theirs, `/admin/forum?shelf=reported&q=${encodeURIComponent(title)}`);
  await theirs.getByRole('button', { name: `Mantener: ${title}` }).click();
  await theirs.getByRole('alertdialog').getByRole('button', { name: 'Mantener' }).click();
  await expectNotice(theirs, 'El texto se mantiene');
  await expect(theirs.getByRole('row').filter({ hasText: title })).toHaveCount(0);
  // No request was sent for data that the role may not read.
  expect(answers.filter((status) => status >= 400)).toEqual([]);
  await theirs.context().close();
});

test('on a phone the filters of the inbox fold away, and say how many narrow it', async ({ page }) => {
  await signInAsAdmin(page);
  await page.setViewportSize({ width: 360, height: 780 });
  await visit(page, '/admin/inbox?mine=no');
  const filters = page.getByRole('button', { name: 'Filtros' });
  await expect(filters).toHaveText('Filtros1');
  await expect(page.getByRole('radio', { name: 'Lo mío' })).toHaveCount(0);
  await filters.click();
  await expect(page.getByRole('radio', { name: 'Lo mío' })).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(filters).toHaveCount(0);
  await expect(page.getByRole('radio', { name: 'Lo mío' })).toBeVisible();
});
