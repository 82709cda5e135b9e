// A site that sends mail: its members vote after they confirmed their mailbox.
import { startSmtp } from '#tests/support/services/smtp.ts';
import { expect, expectNotice, OwnServer, rowOf, test, visit } from './support.ts';

let smtp: Awaited<ReturnType<typeof startSmtp>>;
let server: OwnServer;
test.beforeAll(async () => {
  smtp = await startSmtp();
  server = new OwnServer({ SMTP_URL: smtp.url(), MAIL_FROM: 'Florka <site@florka.test>', DEMO: 'on' });
  await server.start();
});
test.afterAll(async () => {
  await server.end();
  await smtp.close();
});

test('if mail is configured, a vote is refused until the member opens the link in the mail', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expectStatus(403);
  const email = 'late-voter@example.com';
  const made = await page.request.post(`${server.url}/api/auth/sign-up`, {
    data: { email, password: 'a-good-password' },
  });
  expect(made.status()).toBe(200);
  const { items } = (await (await page.request.get(`${server.url}/api/candidates`)).json()) as {
    items: { id: string; tokenName: string; totalVotes: number }[];
  };
  const candidate = items[0];
  if (!candidate) throw new Error('no candidate');

  // Whatever the page shows, the server refuses.
  const direct = await page.request.post(`${server.url}/api/candidates/${candidate.id}/votes`);
  expect([direct.status(), (await direct.json()) as object]).toMatchObject([403, { code: 'UNCONFIRMED' }]);
  await visit(page, `${server.url}/vote`);
  await expect(page.getByText(`Sesión iniciada como ${email}. Para votar confirma tu correo`)).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Confirmar mi correo' }).first().click();
  await expect(page).toHaveURL(`${server.url}/account`);
  await expect(page.getByRole('region', { name: 'Correo', exact: true })).toContainText(email);

  // It was sent at the sign-up.
  await expect.poll(() => smtp.received.map(({ to }) => to), { timeout: 30_000 }).toContainEqual([email]);
  const mail = smtp.received.find(({ to, parsed }) => to[0] === email && parsed.subject === 'Confirma tu correo');
  const link = /https?:\/\/\S+/.exec(mail?.parsed.text ?? '')?.[0];
  if (!link) throw new Error('the mail has no link');
  // What the page sent with the session's former token may arrive after the new one was issued.
  pageErrors.expectStatus(401);
  await visit(page, server.url + new URL(link).pathname + new URL(link).search + new URL(link).hash);
  await expect(page.getByRole('heading', { name: 'Correo confirmado' })).toBeVisible();

  await visit(page, `${server.url}/vote`);
  await rowOf(page, candidate.tokenName)
    .getByRole('button', { name: `Votar por ${candidate.tokenName}` })
    .click();
  await expectNotice(page, '¡Voto registrado!');
  await expect
    .poll(async () => {
      const again = (await (await page.request.get(`${server.url}/api/candidates`)).json()) as { items: typeof items };
      return again.items.find(({ id }) => id === candidate.id)?.totalVotes;
    })
    .toBe(candidate.totalVotes + 1);
});
