import { type APIRequestContext, type Browser, type Page, request as requests } from '@playwright/test';
import type pg from 'pg';
import { createdToken } from '#tests/support/chains/created-token.ts';
import { mailTo } from './mails.ts';
import { orderOf } from './orders.ts';
import { a11yViolations, expect, expectNotice, otherBrowser, runJob, signInAsAdmin, test, visit } from './support.ts';

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const OTHER_WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const PHONE = { width: 360, height: 780 };

let serial = 0;
const key = () => `${Date.now().toString(36)}${++serial}`;
const addressOf = () =>
  `0x${Array.from({ length: 20 }, () =>
    Math.floor(Math.random() * 256)
      .toString(16)
      .padStart(2, '0'),
  ).join('')}`;

/** Somebody who orders tokens over the API, from an address of their own. */
const buyer = (baseURL: string | undefined): Promise<APIRequestContext> =>
  requests.newContext({
    ...(baseURL ? { baseURL } : {}),
    extraHTTPHeaders: { 'x-forwarded-for': `13.${++serial}.${Date.now() % 250}.7` },
  });

/** The payer's page on a phone. */
async function onPhone(browser: Browser, path: string): Promise<Page> {
  const phone = await (await otherBrowser(browser, { viewport: PHONE })).newPage();
  await visit(phone, path);
  return phone;
}

/** Direct access to the tables, as test helpers need it. */
function tables(client: pg.Client) {
  const sql = async <T>(text: string, values: unknown[] = []): Promise<T[]> => (await client.query(text, values)).rows;
  const changed = (domain: string) =>
    sql(`select pg_notify('live', json_build_object('type', 'domain.changed', 'domain', $1::text)::text)`, [domain]);
  return { sql: sql as Parameters<typeof createdToken>[0]['sql'], changed };
}

test('the page of a launch shows its state from the announcement to the proof on the chain, with every announced time [AMB-103] [AMB-214]', async ({
  page,
  browser,
  baseURL,
  database,
}) => {
  test.setTimeout(120_000);
  const { sql, changed } = tables(database);
  const name = `Cometa ${key()}`;
  const [project] = await sql<{ id: string }>(
    `insert into next_projects (token_name, token_symbol, order_index, launch_date) values ($1, 'COM', 900, '2037-04-20T08:00:00Z')
     returning id`,
    [name],
  );
  const visitor = await onPhone(browser, `/token/${project?.id}`);
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(name);
  await expect(visitor.getByText('Cambios de la hora anunciada')).toHaveCount(0);

  // An admin moves it, and everybody reads what was announced before.
  await signInAsAdmin(page);
  await visit(page, `/admin/next-projects?q=${encodeURIComponent(name)}`);
  const card = page.getByRole('listitem').filter({ hasText: name });
  await card.getByRole('button', { name: `Editar ${name}` }).click();
  const form = page.getByRole('dialog', { name: `Editar ${name}` });
  await form.getByLabel('Fecha de lanzamiento').fill('01/05/2037 10:30');
  await form.getByRole('button', { name: 'Actualizar' }).click();
  await expectNotice(page, 'Proyecto actualizado');
  await visit(visitor, `/token/${project?.id}`);
  const changes = visitor.getByRole('listitem').filter({ hasText: 'cambiada el' });
  await expect(changes).toHaveCount(1);
  await expect(changes.locator('del')).toContainText('20 abr 2037');
  await expect(changes).toContainText('1 may 2037');
  expect(await a11yViolations(visitor)).toEqual([]);

  // The announced time passes: the launch follows the clock, and is marked as not proved.
  await sql("update next_projects set launch_date = date_trunc('minute', now()) - interval '1 minute' where id = $1", [
    project?.id,
  ]);
  await changed('nextProjects');
  await visit(visitor, `/token/${project?.id}`);
  const main = visitor.getByRole('main');
  await expect(main.getByText('Lanzado', { exact: true }).first()).toBeVisible();
  await expect(main).toContainText(
    'La hora anunciada ha llegado. Nadie ha dicho ni demostrado aquí que se haya lanzado.',
  );
  await expect(changes).toHaveCount(2);

  // The team states the launch.
  await visit(page, `/admin/next-projects?q=${encodeURIComponent(name)}`);
  await card.getByRole('button', { name: `Editar ${name}` }).click();
  await form.getByLabel('Estado').selectOption('Lanzado');
  await form.getByRole('button', { name: 'Actualizar' }).click();
  await expectNotice(page, 'Proyecto actualizado');
  await visit(visitor, `/token/${project?.id}`);
  await expect(main).toContainText('Ningún dato de la cadena lo demuestra aquí.');

  // Its token is on a chain, and its address is the one that the launch names.
  const order = await orderOf(await buyer(baseURL), { name, email: `cometa-${key()}@florka.test` });
  const address = addressOf();
  await createdToken({ sql }, order.id, { network: 'ethereum', address, simulation: false });
  await sql("update next_projects set contract_address = $2, network = 'ethereum' where id = $1", [
    project?.id,
    address,
  ]);
  await changed('nextProjects');
  await visit(visitor, `/token/${project?.id}`);
  await expect(main).toContainText('Demostrado en la cadena, bloque 12');
  await expect(main.getByRole('link', { name: /Ver la transacción/ }).first()).toHaveAttribute(
    'href',
    /^https:\/\/explorer\.test\/tx\//,
  );
  // The history of announced times cannot be deleted.
  await expect(changes).toHaveCount(2);
  await expect(sql('delete from next_launch_changes where project_id = $1', [project?.id])).rejects.toThrow('kept');
  expect(await a11yViolations(visitor)).toEqual([]);
  await sql('delete from next_projects where id = $1', [project?.id]);
});

test('a sold place on home begins, is interrupted with a mail, and ends on time, and its payer sees each step on a phone', async ({
  page,
  browser,
  baseURL,
  site,
  database,
  pageErrors,
}) => {
  test.setTimeout(300_000);
  pageErrors.expectStatus(409);
  const { sql, changed } = tables(database);
  const [name, email] = [`Ajolote ${key()}`, `portada-${key()}@florka.test`];
  const order = await orderOf(await buyer(baseURL), { name, email });
  await order.pay();
  const phone = await onPhone(browser, order.path);
  await expect(phone.getByRole('heading', { level: 2, name: 'Pago recibido' })).toBeVisible({ timeout: 30_000 });
  await createdToken({ sql }, order.id, { network: 'ethereum', address: addressOf(), symbol: 'Portada' });
  await signInAsAdmin(page);
  const shown = await page.request.post(`/api/admin/token-requests/${order.id}/showcase`, {
    data: { as: 'project', resemblanceAccepted: true },
  });
  expect(shown.status()).toBe(200);
  const { id: project } = (await shown.json()) as { id: string };

  const form = page.getByRole('dialog');
  const open = async (where: string) => {
    await visit(page, `/admin/deliverables?q=${order.orderId}`);
    await page.getByRole('button', { name: 'Dar el espacio en portada: 1 semana en portada' }).click();
    await expect(form.getByLabel('Proyecto del token')).toContainText(`(${where})`);
  };
  const begin = async () => {
    await sql("update projects set status = 'published_home' where id = $1", [project]);
    await changed('projects');
    await open('en la portada');
    expect(await a11yViolations(page, '[role=dialog]')).toEqual([]);
    await form.getByRole('button', { name: 'Empezar ahora' }).click();
    await expectNotice(page, 'Espacio contratado empezado');
  };
  const item = phone.getByRole('listitem').filter({ hasText: '1 semana en portada' });
  const visitor = await (await otherBrowser(browser, { viewport: PHONE })).newPage();
  /** Whether home labels the paid placement for everybody. */
  const mark = async () => {
    await visit(visitor, '/?tab=new');
    return visitor
      .getByRole('main')
      .getByText(/^Espacio contratado hasta el /)
      .count();
  };

  // A project that is not on home cannot get a paid placement.
  await sql("update projects set status = 'approved' where id = $1", [project]);
  await open('no está en la portada');
  await form.getByRole('button', { name: 'Empezar ahora' }).click();
  await expectNotice(page, 'No se pudo dar el espacio');
  expect(await mark()).toBe(0);
  await begin();
  await expect(item).toContainText('Espacio contratado en portada', { timeout: 20_000 });
  for (const words of ['desde el', 'hasta el']) await expect(item).toContainText(words);
  await expect.poll(mark, { timeout: 70_000 }).toBe(1);
  expect(await a11yViolations(phone)).toEqual([]);
  expect(await a11yViolations(visitor)).toEqual([]);

  // Its project leaves home: at that moment, and its payer gets a mail.
  await sql("update projects set status = 'approved', order_index = 999 where id = $1", [project]);
  await changed('projects');
  await runJob(database, 'watch-deliverables');
  expect(
    await mailTo(`${site.data}/outbox`, email, /Un espacio contratado de tu pedido .* terminó antes de tiempo/),
  ).toContain('Estuvo en su sitio:');
  await visit(phone, order.path);
  await expect(item).toContainText('Interrumpido el', { timeout: 20_000 });
  await expect(item).toContainText('la semana no cuenta como entregada');
  await expect.poll(mark, { timeout: 70_000 }).toBe(0);

  // It is given again, and ends by the database's clock, which nobody can set: its week is put into the past.
  await begin();
  await sql('alter table sold_places disable trigger sold_place_kept');
  await sql(
    `update sold_places set starts_at = starts_at - interval '169 hours', ends_at = ends_at - interval '169 hours'
     where project_id = $1 and ended_at is null`,
    [project],
  );
  await sql('alter table sold_places enable trigger sold_place_kept');
  await runJob(database, 'watch-deliverables');
  expect(await mailTo(`${site.data}/outbox`, email, /Entregado/)).toContain('1 semana en portada');
  await visit(phone, order.path);
  await expect(item).toContainText('Hecho el', { timeout: 20_000 });
  await expect(item).toContainText('Estuvo en portada, por el reloj del servidor:');
  await expect.poll(mark, { timeout: 70_000 }).toBe(0);
  expect(await a11yViolations(phone)).toEqual([]);
});

test('a token with another owner than ordered is not created when its payer declines the change on a phone', async ({
  page,
  browser,
  baseURL,
  site,
  database,
  pageErrors,
}) => {
  test.setTimeout(120_000);
  pageErrors.expectStatus(409);
  const [name, email] = [`Ajolote ${key()}`, `dueno-${key()}@florka.test`];
  const order = await orderOf(await buyer(baseURL), { name, email });
  await order.pay();
  const phone = await onPhone(browser, order.path);
  await expect(phone.getByRole('heading', { level: 2, name: 'Pago recibido' })).toBeVisible({ timeout: 30_000 });

  await signInAsAdmin(page);
  // The networks are reported as configured, as if there were a signer; this server has none.
  await page.route(/rpc\/admin\/tokenRequests\/chains/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replaceAll('"not_configured"', 'null') });
  });
  await visit(page, `/admin/token-creation?tab=create&from=${order.id}`);
  await expect(page.getByLabel('Wallet del propietario')).toHaveValue(WALLET);
  await page.getByLabel('Wallet del propietario').fill(OTHER_WALLET);
  const create = page.getByRole('button', { name: 'Create Token' });
  await create.click();
  const callout = page.getByRole('alert').filter({ hasText: 'No es lo que se pagó:' });
  await expect(callout).toContainText('propietario');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await callout.getByRole('button', { name: 'Preguntar a quien pagó' }).click();
  await expect(callout).toContainText('Se lo hemos preguntado');

  // The mail names both owners; so does the page.
  const mail = await mailTo(`${site.data}/outbox`, email, /confirm/i);
  expect(mail).toContain(OTHER_WALLET);
  const change = phone.getByRole('region', { name: 'Cambio en tu token' });
  await expect(change).toContainText(OTHER_WALLET, { timeout: 20_000 });
  await expect(change).toContainText(`Wallet que recibe todo el suministro: pagaste «${WALLET}».`);
  expect(await a11yViolations(phone)).toEqual([]);
  await change.getByRole('button', { name: 'Rechazar' }).click();
  await expect(change).toContainText('Has rechazado estos datos: el token no se crea así.');

  await expect(async () => {
    await create.click();
    await expect(callout).toContainText('Quien pagó lo ha rechazado.', { timeout: 1_000 });
  }).toPass();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  const { sql } = tables(database);
  expect(await sql('select 1 from token_creations where submission_id = $1', [order.id])).toEqual([]);
});

test('money for an unknown order stays unplaced until an admin places it on the order of its payer', async ({
  page,
  browser,
  baseURL,
  database,
  pageErrors,
}) => {
  test.setTimeout(150_000);
  pageErrors.expectStatus(404);
  const from = await buyer(baseURL);
  const [lost, kept] = [
    await orderOf(from, { name: `Ajolote ${key()}`, email: `perdido-${key()}@florka.test` }),
    await orderOf(from, { name: `Ajolote ${key()}`, email: `hallado-${key()}@florka.test` }),
  ];
  const { sql } = tables(database);
  // The order number at the provider is unknown here, as after a restore of an older backup.
  await sql(
    `update payments set order_id = 'FL-' || upper(left(md5(order_id), 10)), invoice_id = null where order_id = $1`,
    [lost.orderId],
  );
  await lost.pay();

  await signInAsAdmin(page);
  await expect(async () => {
    await visit(page, '/admin/inbox?source=unplaced');
    await expect(page.getByRole('link', { name: new RegExp(`Colocar el dinero: ${lost.orderId}`) })).toBeVisible({
      timeout: 1_500,
    });
  }).toPass({ timeout: 60_000 });
  await page.getByRole('link', { name: new RegExp(`Colocar el dinero: ${lost.orderId}`) }).click();
  const waiting = page
    .getByRole('region', { name: 'Dinero sin colocar' })
    .getByRole('article')
    .filter({ hasText: lost.orderId });
  // Waits for the provider's final report, so that the placed money is what the operator read.
  await expect(waiting).toContainText('El proveedor dice: Completo', { timeout: 70_000 });
  await waiting.getByRole('button', { name: /^Colocar el depósito/ }).click();
  const form = page.getByRole('dialog', { name: 'Colocar el dinero en un pedido' });
  await form.getByLabel('Número del pedido').fill('FL-NOBODY0000');
  await form.getByLabel('Motivo').fill('Pagó dos veces el mismo enlace');
  await form.getByRole('button', { name: 'Colocar' }).click();
  await expect(form).toContainText('No hay un pedido con ese número.');
  await form.getByLabel('Número del pedido').fill(kept.orderId);
  expect(await a11yViolations(page, '[role=dialog]')).toEqual([]);
  await form.getByRole('button', { name: 'Colocar' }).click();
  await expectNotice(page, 'Dinero colocado');
  await expect(waiting).toHaveCount(0);

  // The order is under review with this money until an admin accepts it.
  const phone = await onPhone(browser, kept.path);
  await expect(phone.getByRole('main')).toContainText(/revisi/i, { timeout: 20_000 });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Aceptar el pago' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByLabel('Motivo').fill('Es su pago');
  await question.getByRole('button', { name: 'Aceptar' }).click();
  await expectNotice(page, 'Pago aceptado');
  await expect(phone.getByRole('heading', { level: 2, name: 'Pago aceptado', exact: true })).toBeVisible({
    timeout: 30_000,
  });
  expect(await a11yViolations(phone)).toEqual([]);
});
