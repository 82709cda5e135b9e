import { uploadPng } from './images.ts';
import { a11yViolations, expect, notice, otherBrowser, signInAsAdmin, signUp, test, visit } from './support.ts';

/** Each list of cards: one entry, its text about the part, and the name of the part in both languages. */
const LISTS = [
  {
    path: '/admin/inbox?source=submission',
    part: 'Responsable',
    english: 'Owner',
    says: /Responsable: /,
    saysEnglish: /Owner: /,
  },
  {
    // Other entries have dates in what they changed.
    path: '/admin/audit?action=member.signed_in',
    part: 'Cuándo',
    english: 'When',
    says: /\d{1,2} [a-z]{3} 20\d\d/,
    saysEnglish: /[A-Z][a-z]{2} \d{1,2}, 20\d\d/,
  },
  { path: '/admin/media', part: 'Tamaño', english: 'Size', says: /KB enviados/, saysEnglish: /KB as sent/ },
];

test('a part of the cards of inbox, audit log and images can be hidden, for that admin alone', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(120_000);
  const guest = await otherBrowser(browser);
  const name = `Partes ${Date.now().toString(36)}`;
  const sent = await guest.request.post(`${baseURL}/api/submissions`, {
    data: {
      projectName: name,
      symbol: 'PAR',
      resemblanceAccepted: true,
      description: 'Para mirar.',
      submitterName: name,
      submitterEmail: `${Date.now()}@florka.test`,
    },
  });
  expect(sent.status()).toBe(200);
  await signInAsAdmin(page);
  await uploadPng(page.request);
  const colleague = await signUp(guest.request);
  const raised = await page.request.put(`/api/admin/roles/${colleague.id}`, { data: { role: 'admin' } });
  expect(raised.ok()).toBe(true);
  const theirs = await guest.newPage();

  for (const { path, part, english, says, saysEnglish } of LISTS) {
    await visit(page, path);
    const content = page.getByRole('main');
    await expect(content).toContainText(says);
    await page.getByRole('button', { name: 'Vistas y columnas' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Vistas y columnas' });
    const box = dialog.getByRole('checkbox', { name: part, exact: true });
    await box.focus();
    const kept = page.waitForResponse((answer) => answer.url().endsWith('/rpc/admin/lists/save'));
    await page.keyboard.press('Space');
    expect((await kept).ok()).toBe(true);
    await expect(box).not.toBeChecked();
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
    expect(await a11yViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(content).not.toContainText(says);
    await visit(page, `/en${path}`);
    await expect(content.getByRole('checkbox').or(content.getByRole('listitem')).first()).toBeVisible();
    await expect(content).not.toContainText(saysEnglish);
    // The choice applies to this admin only.
    await visit(theirs, `/en${path}`);
    await expect(theirs.getByRole('main')).toContainText(saysEnglish);
    await page.getByRole('button', { name: 'Views and columns' }).click();
    await page.getByRole('checkbox', { name: english, exact: true }).check();
    await page.keyboard.press('Escape');
    await expect(content).toContainText(saysEnglish);
  }
  await guest.close();
});

test('a column is shown again if the request to hide it failed, also without a connection', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expectLoss('ERR_INTERNET_DISCONNECTED');
  pageErrors.expectLoss('Failed to fetch');
  await signInAsAdmin(page);
  await visit(page, '/admin/networks');
  await page.getByRole('button', { name: 'Vistas y columnas' }).click();
  const [box, other] = [
    page.getByRole('checkbox', { name: 'Símbolo' }),
    page.getByRole('checkbox', { name: 'Estado' }),
  ];
  await expect(box).toBeChecked();
  await page.route('**/rpc/admin/lists/**', (route) => route.abort('internetdisconnected'));
  await box.click();
  await other.click();
  await expect(notice(page)).toBeVisible();
  for (const one of [box, other]) await expect(one).toBeChecked();
  await expect(page.getByRole('columnheader', { name: 'Símbolo', includeHidden: true })).toHaveCount(1);
});
