import { type APIRequestContext, type Page, request as requests } from '@playwright/test';
import {
  a11yViolations,
  changeAnswers,
  expect,
  expectAfterRetries,
  expectNotice,
  signInAsAdmin,
  signUp,
  test,
  visit,
} from './support.ts';

let serial = 0;
/** Somebody at an address of their own. */
const guest = async (baseURL: string | undefined): Promise<APIRequestContext> =>
  requests.newContext({
    ...(baseURL ? { baseURL } : {}),
    extraHTTPHeaders: { 'x-forwarded-for': `11.${Date.now() % 250}.${++serial}.7` },
  });

async function sendSubmission(baseURL: string | undefined, name: string) {
  const sent = await (await guest(baseURL)).post('/api/submissions', {
    data: {
      projectName: `Proyecto de ${name}`,
      symbol: 'PRO',
      resemblanceAccepted: true,
      description: '<b>No es negrita</b>',
      submitterName: name,
      submitterEmail: `${name.toLowerCase().replaceAll(' ', '-')}@florka.test`,
    },
  });
  expect(sent.status()).toBe(200);
  return ((await sent.json()) as { id: string }).id;
}

/** A request of the wizard; `pays` is a button of the payment simulation. */
async function order(baseURL: string | undefined, token: { name: string; symbol: string }, pays?: string) {
  const from = await guest(baseURL);
  const made = await from.post('/api/token-requests', {
    data: {
      data: {
        tokenName: token.name,
        tokenSymbol: token.symbol,
        description: 'Un token de lago.',
        ownerWalletAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
        selectedNetwork: 'ethereum',
        petitionerEmail: 'ana@florka.test',
        petitionerTelegram: '@ana',
      },
    },
  });
  const { id, secret } = (await made.json()) as { id: string; secret: string };
  const paying = await from.post(`/api/token-requests/${id}/payment`, {
    data: { secret, plan: 'entry', locale: 'es', resemblanceAccepted: true },
  });
  const { paymentUrl, orderId } = (await paying.json()) as { paymentUrl: string; orderId: string };
  if (pays) await from.post(new URL(paymentUrl).pathname, { form: { action: pays, currency: 'eth' }, maxRedirects: 0 });
  return { id, orderId };
}

const narrow = { width: 360, height: 780 };
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

test('publication requests are for admins only, shown as plain text, answered with notes and filtered [A-SUB-01..06] [A-SUB-08..18] [A-SUB-20..24] [SEC-31]', async ({
  page,
  baseURL,
  database,
  pageErrors,
}) => {
  await signUp(page.request);
  pageErrors.expectStatus(403);
  await visit(page, '/admin/submissions');
  await expect(page.getByRole('heading', { name: 'Acceso Denegado' })).toBeVisible();

  await signInAsAdmin(page);
  const name = `Ana ${Date.now().toString(36)}`;
  const id = await sendSubmission(baseURL, name);
  await page.setViewportSize(narrow);
  await visit(page, '/admin/submissions');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/\d+ solicitud\(es\)/);
  const row = page.getByRole('row').filter({ hasText: name });
  await expect(row).toContainText('Nueva');
  await expect(row).toContainText(`${name.toLowerCase().replaceAll(' ', '-')}@florka.test`);
  await expect(row.getByRole('time')).toHaveText(/^\d{1,2} [a-z]{3} 20\d\d/);
  expect(await overflow(page)).toBe(0);
  expect(await a11yViolations(page)).toEqual([]);

  await row.getByRole('button', { name: `Ver la solicitud de ${name}` }).click();
  const dialog = page.getByRole('dialog', { name: `Solicitud de ${name}` });
  await expect(dialog.locator('pre')).toContainText('"<b>No es negrita</b>"');
  expect(await dialog.getByRole('term').allInnerTexts()).toEqual(
    expect.arrayContaining(['Nombre del solicitante', 'Email', 'Fecha de envío', 'Última revisión']),
  );
  await expect(dialog.getByRole('definition').first()).toHaveText(name);
  await expect(dialog).toContainText('Sin revisar');
  expect(await dialog.getByLabel('Estado').locator('option').allInnerTexts()).toEqual([
    'Nueva',
    'Revisada',
    'Aprobada',
    'Rechazada',
  ]);
  await expect(dialog.getByLabel('Notas del administrador')).toHaveAttribute('rows', '4');
  expect(await a11yViolations(page, '[role=dialog]')).toEqual([]);
  await dialog.getByLabel('Estado').selectOption({ label: 'Aprobada' });
  await dialog.getByLabel('Notas del administrador').fill('Buen equipo');
  await dialog.getByRole('button', { name: 'Actualizar Estado' }).click();
  await expectNotice(page, 'Solicitud actualizada', 'La solicitud ha sido actualizada exitosamente.');
  await expect(dialog).toBeHidden();
  await expect(row).toContainText('Aprobada');

  // A link opens it, with its answer; unsent input needs a confirmation before it is discarded.
  await page.setViewportSize({ width: 1280, height: 900 });
  await visit(page, `/admin/submissions?status=approved&open=${id}`);
  await expect(dialog.getByLabel('Notas del administrador')).toHaveValue('Buen equipo');
  await expect(dialog).not.toContainText('Sin revisar');
  await dialog.getByLabel('Notas del administrador').fill('Otra cosa');
  await dialog.getByRole('button', { name: 'Cerrar' }).click();
  await page.getByRole('button', { name: 'Descartar' }).click();
  await expect(dialog).toBeHidden();
  await expect(row).toBeVisible();
  await page.getByLabel('Estado', { exact: true }).selectOption({ label: 'Rechazada' });
  await expect(row).toHaveCount(0);

  // Missing and invalid data of older records.
  const made = await database.query<{ id: string }>(`insert into project_submissions (status, project_data)
    values ('rejected', null), ('rejected', '"none"') returning id`);
  const [bare, broken] = made.rows;
  await visit(page, `/admin/submissions?status=rejected&open=${bare?.id}`);
  const nobody = page.getByRole('dialog', { name: 'Solicitud de Anónimo' });
  await expect(nobody).toContainText('No hay datos disponibles');
  await expect(nobody.getByRole('definition').nth(1)).toHaveText('N/A');
  await nobody.getByRole('button', { name: 'Cerrar' }).click();
  await expect(page.locator(`tr[data-row="${bare?.id}"]`)).toContainText(/Anónimo.*N\/A.*Rechazada/s);
  await visit(page, `/admin/submissions?open=${broken?.id}`);
  await expect(nobody).toContainText('Datos inválidos');
});

test('an underpaid token request is accepted with a reason and prepared, and without a signer its creation is refused [A-TOKEN-01..11] [A-TOKEN-14..24] [ERR-118] [ERR-119] [AMB-16] [AMB-186] [AMB-187]', async ({
  page,
  baseURL,
  database,
  pageErrors,
}) => {
  await signInAsAdmin(page);
  const key = Date.now().toString(36);
  const short = await order(baseURL, { name: `Colibrí ${key}`, symbol: 'COLIBRI' }, 'pay_part');
  await expect
    .poll(async () => {
      const list = await page.request.get(`/api/admin/token-requests?q=${short.id}`);
      return ((await list.json()) as { rows: { missingUsd: number | null }[] }).rows[0]?.missingUsd;
    })
    .toBe(30);

  await database.query('update token_creation_submissions set plan_price_sol = 0.25 where id = $1', [short.id]);
  await visit(page, `/admin/token-creation?q=${short.orderId}`);
  await expect(page.getByRole('tab')).toHaveText(['Solicitudes', 'Creación', 'Redes']);
  // What a smaller screen has no column for stands below the name.
  await expect(page.getByRole('row').nth(1).getByRole('term')).toHaveText(['Plan', 'Red', 'Wallet', 'Contacto']);
  // With texts of any length the table does not overflow.
  const long = {
    tokenName: 'Un nombre de token bastante largo',
    tokenSymbol: 'LARGUISIMO',
    plan: 'complete',
    email: 'una-direccion-de-correo-muy-larga@ejemplo-de-dominio.test',
    telegram: '@un_nombre_de_telegram_largo',
    priceUsd: 12_345,
    priceSol: 1_234.5678,
    status: 'pending_payment',
    orderedUsd: 12_345,
    receivedUsd: 45.01,
    missingUsd: 12_299.99,
  };
  const endLong = await changeAnswers<{ rows: object[] }>(page, '**/rpc/admin/tokenRequests/list*', (list) => ({
    ...list,
    rows: list.rows.map((one) => ({ ...one, ...long })),
  }));
  await visit(page, `/admin/token-creation?q=${short.orderId}`);
  const frame = page.getByRole('region', { name: 'Solicitudes de tokens' });
  await expect(frame.getByText('Un nombre de token bastante largo')).toBeVisible();
  expect(await frame.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  endLong();
  await visit(page, `/admin/token-creation?q=${short.orderId}`);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(() => frame.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  await page.setViewportSize({ width: 1600, height: 900 });
  await expect
    .poll(async () => (await page.getByRole('columnheader').allInnerTexts()).filter(Boolean))
    .toEqual(['Token', 'Plan', 'Red', 'Wallet', 'Contacto', 'Precio', 'Estado', 'Pago', 'Fecha', 'Acciones']);
  const row = page.getByRole('row').filter({ hasText: `Colibrí ${key}` });
  for (const words of ['ENTRADA', 'Ethereum', '0x5aAeb6…Ef1BeAed', 'ana@florka.test', '@ana', '50,00 USD', '0,25 SOL'])
    await expect(row).toContainText(words);
  // The payment counts for the payer; the missing amount is shown beside it.
  await expect(row.getByText('Completado', { exact: true })).toBeVisible();
  await expect(row.getByRole('time')).toHaveText(/^\d{1,2} [a-z]{3} 20\d\d/);
  await expect(row).toContainText('Pago parcial');
  await expect(row).toContainText('faltan 30,00 USD');
  expect(await a11yViolations(page)).toEqual([]);
  await row.getByRole('button', { name: /^Ver/ }).click();
  const dialog = page.getByRole('dialog', { name: `Solicitud: Colibrí ${key}` });
  await expect(dialog).toContainText('Todavía no se puede crear');
  await expect(dialog.getByRole('button', { name: 'Crear el token' })).toBeDisabled();
  expect(await a11yViolations(page, '[role=dialog]')).toEqual([]);
  await dialog.getByRole('button', { name: 'Aceptar el pago' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Aceptar' }).click();
  await expect(question).toContainText('Escribe el motivo.');
  await question.getByLabel('Motivo').fill('Faltaba la comisión de la red');
  await question.getByRole('button', { name: 'Aceptar' }).click();
  await expectNotice(page, 'Pago aceptado');
  // The payment no longer prevents the creation; the missing signer still does.
  await expect(dialog).not.toContainText('acepta el pago con un motivo');
  await expect(dialog).toContainText('Esta red no está configurada');
  await expect(dialog).toContainText('«Faltaba la comisión de la red»');
  // Accepted, it is still short, and both show the amount and who accepted it.
  await expect(dialog.getByText('Aceptado por', { exact: true })).toBeVisible();
  for (const words of ['Aceptado', 'Recibido 20,00 USD de 50,00 USD', 'faltan 30,00 USD', 'aceptado por'])
    await expect(page.locator(`tr[data-row="${short.id}"]`)).toContainText(words);
  await page.setViewportSize(narrow);
  expect(await overflow(page)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 900 });

  await dialog.getByRole('button', { name: 'Crear el token' }).click();
  // Nobody set up a signer here: the screen shows that before any input.
  const networks = page.getByRole('region', { name: 'Redes' });
  await expect(networks.getByRole('listitem')).toHaveCount(4);
  await expect(networks).toContainText('Esta red no está configurada');
  await expect(page.getByRole('status').filter({ hasText: 'Estado de la creación' })).toContainText('Listo');
  expect(await page.getByLabel('Red blockchain').locator('option').allInnerTexts()).toEqual([
    'Solana',
    'Ethereum',
    'Binance Smart Chain',
    'Polygon',
  ]);
  await expect(page.getByLabel('Suministro total')).toHaveValue('1000000000');
  await expect(page.getByLabel('Descripción')).toHaveAttribute('rows', '6');
  await expect(page.getByLabel('Símbolo del token')).toHaveAttribute('maxlength', '6');
  await expect(page.getByLabel('ID de la solicitud')).toHaveValue(short.id);
  await expect(page.getByLabel('Símbolo del token')).toHaveValue('COLIBRI');
  const create = page.getByRole('button', { name: 'Create Token' });
  await create.click();
  await expect(page.getByText('Máximo 6 caracteres')).toBeVisible();
  await expect(page.getByLabel('Símbolo del token')).toBeFocused();
  await page.getByLabel('Símbolo del token').fill('СОL');
  await expect(page.getByText('El símbolo tiene letras que se confunden con otras.')).toBeVisible();
  await page.getByLabel('Símbolo del token').fill('COLI');
  await page.getByLabel('Suministro total').fill('1.5');
  await create.click();
  await expect(page.getByText('Escribe un número entero mayor que 0, solo con cifras.')).toBeVisible();
  await page.getByLabel('Suministro total').fill('1000000');
  await page.getByLabel('Wallet del propietario').fill('');
  await expect(create).toBeDisabled();
  await page.getByLabel('Wallet del propietario').fill('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed');
  const refusal = 'Esta red no está configurada: hace falta un firmante con su RPC y su clave.';
  await create.click();
  await expectNotice(page, 'Error al crear token', refusal);
  // The error is beside its cause, and no input was required.
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(page.getByLabel('Red blockchain')).toHaveAccessibleDescription(refusal);
  await expect(page.getByLabel('Red blockchain')).toBeFocused();
  // The signer was ready when the form opened, and is not when the call arrives.
  const chains = /rpc\/admin\/tokenRequests\/chains/;
  await page.route(chains, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replaceAll('"not_configured"', 'null') });
  });
  pageErrors.expectStatus(502);
  const sure = page.getByRole('alertdialog', { name: 'Crear el token en la cadena' });
  await create.click();
  // Another symbol than was paid for, and any token at all: its payer confirms first.
  await expect(sure).toHaveCount(0);
  const callout = page.getByRole('alert').filter({ hasText: 'No es lo que se pagó: símbolo' });
  await callout.getByRole('button', { name: 'Preguntar a quien pagó' }).click();
  await expect(callout).toContainText('Se lo hemos preguntado');
  const confirmed = `update token_proposals set state = 'confirmed', answered_at = now() where submission_id = $1 and state = 'open'`;
  expect((await database.query(confirmed, [short.id])).rowCount).toBe(1);
  // The dialog may come after the timeout of an attempt: it would cover the button of the next one.
  await expect(async () => {
    if (!(await sure.isVisible())) await create.click({ timeout: 1_000 });
    await expect(sure).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(sure.getByRole('figure')).toContainText('1.000.000 COLI');
  const yes = sure.getByRole('button', { name: 'Create Token' });
  await sure.getByLabel('Escribe «COLI» para confirmar').fill('coli');
  await expect(yes).toBeDisabled();
  await sure.getByLabel('Escribe «COLI» para confirmar').fill('COLI');
  expect(await a11yViolations(page, '[role=alertdialog]')).toEqual([]);
  await yes.click();
  await expectNotice(page, 'Error al crear token', refusal);
  await expect(page.getByText('Hubo un problema al crear el token. Revisa los logs para más detalles.')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Estado de la creación' })).toContainText('Error');
  expect(await a11yViolations(page)).toEqual([]);
  await page.setViewportSize(narrow);
  expect(await overflow(page)).toBe(0);
});

test('a paid token request is closed without a token and with a message for its payer, and reopened [AMB-216]', async ({
  page,
  baseURL,
}) => {
  const name = `Cierre ${Date.now().toString(36)}`;
  const { id } = await order(baseURL, { name, symbol: 'CIE' }, 'pay_part');
  await signInAsAdmin(page);
  await visit(page, `/admin/token-creation?q=${id}`);
  await page.getByRole('row').filter({ hasText: name }).getByRole('button', { name: /^Ver/ }).click();
  const dialog = page.getByRole('dialog', { name: `Solicitud: ${name}` });
  await dialog.getByRole('button', { name: 'Preguntar al proveedor' }).click();
  await dialog.getByRole('button', { name: 'Cerrar la solicitud' }).click();
  const form = page.getByRole('dialog', { name: 'Cerrar la solicitud' });
  await form.getByRole('button', { name: 'Cerrar y avisar' }).click();
  await expect(form.getByText('Escribe la dirección del token entregado.')).toBeVisible();
  await expect(form.getByText('Escribe qué se hizo y qué pasa con el dinero.')).toBeVisible();
  expect(await a11yViolations(page, '[role=dialog]')).toEqual([]);
  await form.getByLabel('Cómo termina').selectOption('No se entrega');
  await form.getByLabel('Para quien pagó').fill('Te devolvimos lo que llegó.');
  await form.getByRole('button', { name: 'Cerrar y avisar' }).click();
  await expectNotice(page, 'Solicitud cerrada');
  await expect(dialog.getByText(/^No se entrega · cerrada el/)).toBeVisible();
  await expect(dialog).toContainText('La solicitud está cerrada.');
  const orderPage = await page.context().newPage();
  await visit(
    orderPage,
    (await dialog.getByRole('link', { name: 'Abrir la página del pedido' }).getAttribute('href')) ?? '',
  );
  await expect(orderPage.getByRole('heading', { name: 'Pedido cerrado' })).toBeVisible();
  await expect(orderPage.getByText('Te devolvimos lo que llegó.', { exact: true })).toBeVisible();
  expect(await a11yViolations(orderPage)).toEqual([]);
  await orderPage.close();
  await dialog.getByRole('button', { name: 'Reabrir' }).click();
  const reopening = page.getByRole('alertdialog', { name: '¿Reabrir esta solicitud?' });
  await expect(reopening).toContainText('se retira y quien pagó recibe un correo.');
  await reopening.getByRole('button', { name: 'Reabrir' }).click();
  await expectNotice(page, 'Solicitud reabierta');
  await expect(dialog.getByRole('button', { name: 'Cerrar la solicitud' })).toBeVisible();
});

test('the screen of token creation shows an empty result, a failed read with a retry, and the networks in their tab [A-TOKEN-13] [A-TOKEN-17] [A-NET-06] [ERR-120]', async ({
  page,
  pageErrors,
}) => {
  await signInAsAdmin(page);
  pageErrors.expectStatus(500);
  await page.route('**/rpc/admin/tokenRequests/list*', (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.clock.install();
  await visit(page, '/admin/token-creation');
  await expectAfterRetries(page, page.getByRole('alert').filter({ hasText: 'Error al cargar solicitudes:' }));
  await page.unroute('**/rpc/admin/tokenRequests/list*');
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Error al cargar' })).toHaveCount(0);
  await page.getByLabel('Token, contacto, wallet o pedido').fill('nadie-se-llama-así');
  await expect(page.getByText('No se encontró nada con estos filtros')).toBeVisible();
  await page.getByRole('tab', { name: 'Redes' }).click();
  await expect(page.getByText(/^\d+ redes$/)).toBeVisible();
  await expect(page).toHaveURL(/\?tab=networks$/);
  await page.getByRole('tab', { name: 'Creación' }).click();
  await expect(page.getByLabel('Red blockchain')).toHaveValue('solana');
  pageErrors.expectStatus(404);
  await page.getByLabel('ID de la solicitud').fill('5b6c5a3e-0d0b-4b6e-9a55-000000000000');
  await expect(page.getByText('No hay ninguna solicitud con este ID.')).toBeVisible();
});
