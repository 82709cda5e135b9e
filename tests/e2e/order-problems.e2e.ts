import type { Page } from '@playwright/test';
import { expect, OwnServer, test, visit } from './support.ts';
import { createPayment, fill, goToPayment, play, saved } from './wizard.ts';

test.describe.configure({ timeout: 180_000 });
const server = new OwnServer();
test.use({ baseURL: server.url });
test.beforeAll(() => server.start());
test.afterAll(() => server.end());
test.beforeEach(({ pageErrors }) => pageErrors.expectStatus(428));

async function rows(text: string) {
  const database = await server.database();
  try {
    return (await database.query(text)).rows;
  } finally {
    await database.end();
  }
}
const confirmed = (page: Page) => expect(page.getByText('Payment Confirmed!').first()).toBeVisible({ timeout: 40_000 });

test('after a power cut between the answer of the provider and its storage, the next attempt creates the payment, which is paid', async ({
  page,
  context,
  pageErrors,
}) => {
  pageErrors.expectStatus(503);
  await visit(page, '/create');
  await fill(page);
  await goToPayment(page);
  await saved(page);
  // The provider has answered, and the transaction that stores the answer is blocked.
  await rows(`
    create function stuck() returns trigger language plpgsql as $$
      begin perform pg_advisory_lock(4711); perform pg_sleep(120); return new; end $$;
    create trigger stuck before update on payments for each row
      when (old.invoice_id is null and new.invoice_id is not null) execute function stuck()`);
  await page.getByRole('button', { name: 'Crear pago' }).click();
  await expect
    .poll(() => rows(`select 1 from pg_locks where locktype = 'advisory' and objid = 4711`), { timeout: 15_000 })
    .toHaveLength(1);
  await server.kill();
  await expect(page.getByText('Payment Creation Failed').first()).toBeVisible({ timeout: 20_000 });
  await server.start();
  await rows('drop trigger stuck on payments');
  expect(await rows('select invoice_id from payments')).toEqual([{ invoice_id: null }]);

  await page.reload();
  // The interrupted request holds its claim on the order for half a minute; the next click after that continues it.
  await rows('update payments set creating_until = now() where creating_until is not null');
  await expect(async () => {
    // A click whose answer took longer than the wait below has succeeded: its button is gone.
    const button = page.getByRole('button', { name: 'Crear pago' });
    if (await button.isVisible()) await button.click({ timeout: 2_000 });
    await expect(page.getByText('Esperando pago', { exact: true })).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 60_000 });
  const tab = await context.newPage();
  await tab.goto((await page.getByRole('link', { name: /Abrir la página de pago/ }).getAttribute('href')) ?? '');
  await play(tab, 'Pagar todo');
  await confirmed(page);
  expect(await rows('select state from payments')).toEqual([{ state: 'paid' }]);
  // The only expected errors are those of the interrupted connection.
  pageErrors.seen.splice(
    0,
    pageErrors.seen.length,
    ...pageErrors.seen.filter((seen) => !/ERR_|Failed to fetch/.test(seen)),
  );
});

test('if every callback is lost and no page is open, the job polls the provider, and the order is paid', async ({
  page,
}) => {
  await visit(page, '/create');
  const name = await fill(page);
  await goToPayment(page);
  await saved(page);
  const tab = await createPayment(page);
  await play(tab, 'Perder los avisos');
  await expect(tab.getByText('se pierden')).toBeVisible();
  await page.goto('about:blank');
  await play(tab, 'Pagar todo');
  await expect(tab.getByText('finished')).toBeVisible({ timeout: 20_000 });
  await tab.close();
  const order = `select p.state from payments p join token_creation_submissions r on r.id = p.submission_id
                 where r.token_data ->> 'tokenName' = '${name}'`;
  expect(await rows(order)).toEqual([{ state: 'awaiting' }]);
  // The next poll of this order is due later, because the page polled just before; and the job would run once a minute.
  await rows(
    `update payments set next_check_at = now(), tried_at = now() - interval '1 minute' where next_check_at is not null`,
  );
  await rows(`insert into jobs.job (name, data) values ('reconcile-payments', '{}')`);
  await expect.poll(() => rows(order), { timeout: 150_000, intervals: [200] }).toEqual([{ state: 'paid' }]);
  expect(
    await rows(`select 1 from payment_events where kind = 'webhook' and payment_id in
    (select id from payments order by created_at desc limit 1)`),
  ).toEqual([]);
  await visit(page, '/create?step=5');
  await confirmed(page);
});
