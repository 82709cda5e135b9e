import { expect, otherBrowser, rankingOf, signInAsAdmin, test, visit } from './support.ts';

test('a vote of one person is in the lists and the comparison that another one opens, and both follow the token', async ({
  page,
  browser,
  member,
  database,
}) => {
  const candidates = await rankingOf(page.request);
  // A new one: nobody voted for it today.
  const name = `Sin votos ${Date.now().toString(36)}`;
  const otherContext = await otherBrowser(browser);
  await signInAsAdmin(await otherContext.newPage());
  const made = await otherContext.request.post('/api/admin/candidates', {
    data: { tokenName: name, tokenSymbol: 'SINV', resemblanceAccepted: true },
  });
  const { tokenSlug: slug } = (await made.json()) as { tokenSlug: string };
  const votesOf = async () =>
    Number(
      (await database.query('select total_votes from voting_candidates where token_slug = $1', [slug])).rows[0]
        ?.total_votes,
    );
  const before = await votesOf();

  const reader = await (await otherBrowser(browser)).newPage();
  await visit(reader, '/tokens?kind=candidate&order=today');
  const card = reader.getByRole('article').filter({ has: reader.getByRole('link', { name, exact: true }) });
  await expect(reader.getByText('Solo candidatos con algún voto en este día UTC.')).toBeVisible();
  await expect(card).toHaveCount(0);
  await member(page.context());
  await visit(page, `/token/${slug}/candidate`);
  await page
    .getByRole('button', { name: /^Votar por/ })
    .first()
    .click();
  await expect.poll(votesOf).toBe(before + 1);

  await visit(reader, '/tokens?kind=candidate&order=today');
  await expect(card).toHaveCount(1);
  await visit(reader, '/en/tokens?kind=candidate&order=today');
  await expect(card).toHaveCount(1);
  // Both follow it: the one who voted with an account, the other in the browser alone.
  for (const screen of [page, reader]) {
    await visit(screen, '/tokens?kind=candidate&order=today');
    await screen.getByRole('button', { name: `Seguir ${name}`, exact: true }).click();
    await expect(screen.getByRole('button', { name: `Dejar de seguir ${name}`, exact: true })).toBeVisible();
    await visit(screen, '/saved');
    await expect(screen.getByRole('link', { name, exact: true })).toBeVisible();
  }
  const compared = `/compare?a=${slug}&b=${candidates[0]?.tokenSlug}`;
  for (const screen of [page, reader]) {
    await visit(screen, compared);
    await expect(screen.getByRole('row', { name: /^Votos \d/ })).toContainText(String(before + 1));
  }
});
