import { expect, rankingOf, rowOf, signUp, test, visit, votesOf } from './support.ts';

// The code of the toasts loads four seconds after the page; a network that fails before must not silence them.
test('an action that cannot be sent says so at once, and a vote is not left counted', async ({ page, faults }) => {
  faults.expectLoss('ERR_INTERNET_DISCONNECTED');
  await signUp(page.request);
  const name = (await rankingOf(page.request))[0]?.tokenName ?? '';
  await page.clock.install();
  await visit(page, '/vote');
  const vote = rowOf(page, name).getByRole('button', { name: `Votar por ${name}` });
  await expect(vote).toBeVisible();
  const counted = await votesOf(page, name).innerText();
  await page.context().setOffline(true);
  await vote.click();
  const notice = page.getByRole('alert').filter({ hasText: 'Error al votar' });
  await expect(async () => {
    await page.clock.runFor(500);
    await expect(notice).toBeVisible({ timeout: 100 });
  }).toPass();
  await expect(votesOf(page, name)).toHaveText(counted);
  await expect(vote).toBeEnabled();
  await page.getByRole('button', { name: 'Quitar aviso' }).click();
  await expect(notice).toHaveCount(0);
});
