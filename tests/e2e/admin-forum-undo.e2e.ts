import { note, test, words } from './forum-board.ts';
import { expect, otherBrowser, signInAsAdmin, visit } from './support.ts';

test('the restoration of a hidden post is undone by one button, and its author sees the removal as before', async ({
  page,
  browser,
  member,
  seed,
}) => {
  const author = await otherBrowser(browser);
  const title = words();
  const id = await seed(await member(author), { title });
  await signInAsAdmin(page);
  const data = { what: 'post', ids: [id], rule: 'spam', reason: 'Publicidad' };
  expect((await page.request.post('/api/admin/forum/hide', { data })).status()).toBe(200);
  const removals = async () => {
    const answer = await author.request.post('/rpc/forum/myRemovals', { data: {} });
    return ((await answer.json()) as { json: { outcome: string | null }[] }).json;
  };
  const before = await removals();
  expect(before).toMatchObject([{ title, outcome: null }]);
  await visit(page, `/admin/forum?q=${encodeURIComponent(title)}`);
  const row = page.getByRole('row').filter({ hasText: title });
  await row.getByRole('button', { name: /Restaurar/ }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('Se puede deshacer');
  await question.getByRole('button', { name: 'Restaurar' }).click();
  await expect(page.getByText('Texto restaurado')).toBeVisible();
  expect(await removals()).toMatchObject([{ outcome: 'restored' }]);
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect(page.getByText('Texto ocultado')).toBeVisible();
  expect(await removals()).toEqual(before);
  const reader = await author.newPage();
  await visit(reader, '/forum');
  await expect(note(reader, title)).toHaveCount(0);
});

test('the form of a removal does not begin with the rule of the previous one', async ({
  page,
  browser,
  member,
  seed,
}) => {
  const author = await member(await otherBrowser(browser));
  const key = words();
  const titles = [`${key} uno`, `${key} dos`];
  for (const title of titles) await seed(author, { title });
  await signInAsAdmin(page);
  await visit(page, `/admin/forum?q=${encodeURIComponent(key)}`);
  const question = page.getByRole('alertdialog');
  for (const title of titles) {
    await page.getByRole('button', { name: `Ocultar: ${title}` }).click();
    await expect(question.getByLabel('Norma')).toHaveValue('');
    await expect(question.getByRole('button', { name: 'Ocultar' })).toBeDisabled();
    await question.getByLabel('Norma').selectOption('spam');
    await question.getByLabel('Motivo').fill('Publicidad');
    await question.getByRole('button', { name: 'Ocultar' }).click();
    await expect(question).toHaveCount(0);
  }
});
