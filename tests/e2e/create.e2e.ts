import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import pg from 'pg';
import sharp from 'sharp';
import {
  barriers,
  expect,
  expectNotice,
  type Faults,
  notice,
  otherBrowser,
  ready,
  signUp,
  test,
  visit,
  watch,
} from './support.ts';

test.describe.configure({ timeout: 90_000 });

let database: pg.Client;
test.beforeAll(async () => {
  const [, , , , host] = readFileSync('test-results/data/pg/postmaster.pid', 'utf8').split('\n');
  database = new pg.Client({ host, port: 5432, user: 'postgres', database: 'postgres' });
  await database.connect();
});
test.afterAll(() => database.end());
// People of these tests share a network, so some of them are asked for a proof of work: the page solves it.
test.beforeEach(({ faults }) => faults.expectStatus(428));

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const BAD_WALLET = WALLET.replace('5aA', '5aa');

const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name, exact: true });
const saved = (page: Page) => expect(page.getByText('Guardado', { exact: true })).toBeVisible({ timeout: 12_000 });
const linkOf = (page: Page) => page.getByLabel('Enlace privado').inputValue();

let serial = 0;
const newName = () => `Ajolote ${Date.now().toString(36)}${++serial}`;

async function fill(page: Page, over: { name?: string; wallet?: string } = {}): Promise<string> {
  const name = over.name ?? newName();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Ticker', { exact: true }).fill('AJO');
  await page.getByLabel('Description', { exact: true }).fill('Un token de lago.');
  await page.getByLabel('Blockchain network', { exact: true }).selectOption({ label: 'Ethereum' });
  await page.getByLabel('Owner wallet address', { exact: true }).fill(over.wallet ?? WALLET);
  await page.getByLabel('Contact e-mail', { exact: true }).fill('ana@florka.test');
  await page.getByLabel('Telegram username', { exact: true }).fill('@ana');
  return name;
}
/** From step 1 to the payment. */
async function goToPayment(page: Page, plan?: string): Promise<void> {
  for (const name of ['Market data', 'Redes y contacto', 'Plan']) {
    await next(page).click();
    await expect(heading(page, name)).toBeFocused();
  }
  if (plan) await page.getByRole('radio', { name: plan }).check();
  await next(page).click();
  await expect(heading(page, 'Payment')).toBeFocused();
}
/** Creates the payment; answers with the provider's page. */
async function createPayment(page: Page): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Crear pago' }).click();
  const tab = await opened;
  await tab.waitForURL(/\/sandbox\/pay\/\d+$/);
  await expect(page.getByText('Esperando pago', { exact: true })).toBeVisible();
  return tab;
}
const play = (tab: Page, action: string) => tab.getByRole('button', { name: action, exact: true }).click();
/** The draft with this name, as the database has it. */
async function rowOf(name: string) {
  const { rows } = await database.query(
    `select r.*, (select count(*)::int from payments p where p.submission_id = r.id) as payments
     from token_creation_submissions r where token_data ->> 'tokenName' = $1`,
    [name],
  );
  return rows;
}
/** Somebody else, elsewhere; nothing of theirs may go wrong either. */
async function guest(browser: Browser): Promise<{ page: Page; context: BrowserContext; faults: Faults }> {
  const context = await otherBrowser(browser);
  const faults = watch(context);
  faults.expectStatus(428);
  return { context, faults, page: await context.newPage() };
}

test('a guest buys each plan through the provider’s page and sees Payment Confirmed! [CREATE-01..09] [CREATE-51..60] [CREATE-72] [PAY-01..04] [PAY-11..15] [PAY-22] [ERR-18] [ERR-19] [ERR-23]', async ({
  browser,
}) => {
  const prices = { Entrada: '50', Básico: '1.500', Estándar: '3.000', Completo: '5.000' };
  await Promise.all(
    Object.entries(prices).map(async ([plan, price]) => {
      const { page, context, faults } = await guest(browser);
      await visit(page, '/create');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('CREATE YOUR TOKEN');
      const name = await fill(page);
      await goToPayment(page, plan);
      await expect(page.getByText(`$${price} USD`, { exact: true }).first()).toBeVisible();
      const tab = await createPayment(page);
      await expectNotice(page, 'Payment Created!');
      await expect(page.getByText('Simulación: no se mueve dinero.')).toBeVisible();
      await play(tab, 'Pagar todo');
      await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible({ timeout: 40_000 });
      await expect(page.getByText('Payment Confirmed!').first()).toBeVisible();
      await expect(
        page
          .getByText('Your token creation request has been submitted and will be processed by our admin team.')
          .first(),
      ).toBeVisible();
      const [row] = await rowOf(name);
      const { id } = row as { id: string };
      expect(row).toMatchObject({
        status: 'completed',
        payment_status: 'completed',
        plan_price_usd: Number(price.replace('.', '')),
        user_id: null,
        payments: 1,
      });
      await expect(page.getByRole('link', { name: 'Ver mi pedido' })).toHaveAttribute(
        'href',
        new RegExp(`^/order/${id}#.{40,}$`),
      );
      expect(faults.seen).toEqual([]);
      await context.close();
    }),
  );
});

test('the first step is left with what it needs, and nothing holds the others up [CREATE-10..11] [CREATE-27..28] [CREATE-61..68] [ERR-12]', async ({
  page,
}) => {
  await visit(page, '/create');
  await expect(page.getByRole('button', { name: 'Back', exact: true })).toBeDisabled();
  for (const mode of ['Advanced', 'JustSendIt']) {
    await page.getByText(mode, { exact: true }).click();
    await expect(page.getByRole('radio', { name: mode })).toBeChecked();
  }
  const summary = page.getByRole('region', { name: 'Error', exact: true });

  await next(page).click();
  await expectNotice(page, 'Error', 'Please fill in token name, symbol, and description.');
  await expect(summary).toBeFocused();
  expect(await barriers(page)).toEqual([]);
  for (const label of ['Name', 'Ticker', 'Description']) {
    const field = page.getByLabel(label, { exact: true });
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toHaveAccessibleDescription(/Este dato es obligatorio/);
  }
  await summary.getByRole('button', { name: 'Ir a Ticker' }).click();
  await expect(page.getByLabel('Ticker', { exact: true })).toBeFocused();
  await page.keyboard.type('AJO');
  await expect(page.getByLabel('Ticker', { exact: true })).not.toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Name', { exact: true }).fill(' Ajolote ');
  await page.getByLabel('Description', { exact: true }).fill('Un token de lago.');
  await expect(summary).toHaveCount(0);

  await next(page).click();
  const creator = 'Please fill in all required creator information: wallet address, network, email, and telegram.';
  await expectNotice(page, 'Error', creator);
  await expect(summary).toBeFocused();
  await page.getByLabel('Owner wallet address', { exact: true }).fill(BAD_WALLET);
  await page.getByLabel('Blockchain network', { exact: true }).selectOption({ label: 'BNB Chain' });
  await expect(page.getByLabel('Owner wallet address', { exact: true })).toHaveAccessibleDescription(
    /No parece una dirección de BNB Chain/,
  );
  await page.getByLabel('Contact e-mail', { exact: true }).fill('ana@florka');
  await page.getByLabel('Telegram username', { exact: true }).fill('@ana');
  await next(page).click();
  await expectNotice(page, 'Error', 'Please enter a valid email address.');
  await expect(page.getByLabel('Contact e-mail', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Contact e-mail', { exact: true }).fill(' ana@florka.test ');
  await page.getByText('Socials & more options').click();
  await page.getByLabel('Website link').fill('florka.io');

  // The wrong address holds nobody up before the payment.
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Market data')).toBeFocused();
  await page.getByLabel('Marketing (%)').fill('130');
  await expect(page.getByText('Suma 130 %', { exact: false })).toBeVisible();
  await next(page).click();
  await expect(page.getByLabel('Sitio web')).toHaveValue('https://florka.io');
  await expect(page.getByLabel('Red blockchain').locator('option:checked')).toHaveText('BNB Chain (BNB)');
  await page.getByLabel('Telegram', { exact: true }).fill('');
  await next(page).click();
  await expect(page.getByRole('radio', { name: /Entrada/ })).toBeChecked();
  await expect(page.getByText('¡MEJOR PRECIO!')).toBeVisible();
  await next(page).click();
  await page.getByRole('button', { name: 'Process Payment' }).click();
  await expectNotice(page, 'Error', 'Please use the cryptocurrency payment button above to complete your transaction.');
});

test('what is wrong blocks the payment on the server, says where, and is mended [AMB-56] [ERR-16]', async ({
  page,
  faults,
}) => {
  faults.expectStatus(409);
  await visit(page, '/create');
  await fill(page, { wallet: BAD_WALLET });
  await goToPayment(page);
  await page.getByRole('button', { name: 'Crear pago' }).click();
  await expectNotice(page, 'Payment Creation Failed');
  await expect(
    page.getByText('La dirección de la wallet no es válida para la red elegida. Corrígela para poder pagar.').first(),
  ).toBeVisible();
  expect(page.context().pages()).toHaveLength(1);
  await page.locator('form').getByRole('button', { name: 'Cambiar', exact: true }).last().click();
  await expect(page.getByRole('region', { name: 'Error', exact: true })).toBeFocused();
  await page.getByLabel('Owner wallet address', { exact: true }).fill(WALLET);
  await expect(page.getByLabel('Owner wallet address', { exact: true })).toHaveAccessibleDescription(
    /Formato correcto para Ethereum/,
  );
  await page.getByRole('button', { name: /Paso 5 de 5/ }).click();
  await createPayment(page);
});

test('a part payment confirms, and says what is missing [PAY-23] [AMB-16] [AMB-47] [ERR-22]', async ({
  page,
  faults,
}) => {
  await visit(page, '/create');
  await fill(page);
  await goToPayment(page);
  const tab = await createPayment(page);
  // The answer that the request is confirmed gets lost: whoever paid knows whom to ask, and with which number.
  faults.expectStatus(500);
  await page.route('**/rpc/tokenRequests/read', (route) => route.fulfill({ status: 500, json: {} }));
  await play(tab, 'Pagar una parte (40 %)');
  await expect(notice(page)).toContainText('Payment Completed', { timeout: 30_000 });
  await expect(notice(page)).toContainText(
    /Payment was successful but there was an issue saving the record\. Please contact support with payment ID: \d+/,
  );
  await page.unroute('**/rpc/tokenRequests/read');
  await page.reload();
  await expect(page.getByText('Payment Confirmed!').first()).toBeVisible();
  await expect(page.getByText(/Pago parcial: faltan 30\.00 USD/)).toBeVisible();
  await expect(page.getByRole('link', { name: /Pagar lo que falta/ })).toHaveAttribute('href', /\/sandbox\/pay\/\d+$/);
  expect(await barriers(page)).toEqual([]);
});

test('one payment from double clicks, two tabs, back and forward; paid with every tab closed, by callback alone [AMB-19] [AMB-48] [PAY-24] [ERR-17]', async ({
  page,
  context,
  faults,
}) => {
  await visit(page, '/create');
  const name = await fill(page);
  await goToPayment(page);
  await saved(page);
  const other = await context.newPage();
  // One whose browser opens no tabs.
  await other.addInitScript(() => {
    window.open = () => null;
  });
  await visit(other, '/create?step=5');
  const button = (tab: Page) => tab.getByRole('button', { name: 'Crear pago' });
  await Promise.all([button(page).dblclick(), button(other).click()]);
  for (const tab of [page, other])
    await expect(tab.getByRole('link', { name: /Abrir la página de pago/ })).toBeVisible({ timeout: 15_000 });
  await expect(other.getByText(/Tu navegador no ha dejado abrir la pestaña/)).toBeVisible();
  await page.goBack();
  await expect(heading(page, 'Plan')).toBeVisible();
  await page.goForward();
  const open = page.getByRole('link', { name: /Abrir la página de pago/ });
  await expect(open).toBeVisible();
  await page.getByRole('button', { name: 'Check Status' }).click();
  await expectNotice(page, 'Current status: waiting');
  // Nobody could be asked, and nothing was answered: two different things.
  await page.route('**/rpc/tokenRequests/check', async (route) => {
    const answer = await route.fetch();
    const { json } = (await answer.json()) as { json: object };
    await route.fulfill({ response: answer, json: { json: { ...json, answer: 'unknown' } } });
  });
  await page.getByRole('button', { name: 'Check Status' }).click();
  await expect(notice(page)).toContainText('Sin respuesta del proveedor');
  await page.unroute('**/rpc/tokenRequests/check');
  faults.expectStatus(500);
  await page.route('**/rpc/tokenRequests/check', (route) => route.fulfill({ status: 500, json: {} }));
  await page.getByRole('button', { name: 'Check Status' }).click();
  await expectNotice(page, 'Status Check Failed', 'Failed to check payment status.');
  await page.unroute('**/rpc/tokenRequests/check');
  const payPage = (await open.getAttribute('href')) ?? '';
  expect(await rowOf(name)).toMatchObject([{ status: 'pending_payment', payments: 1 }]);

  const tab = await context.newPage();
  await tab.goto(payPage);
  for (const closed of context.pages()) if (closed !== tab) await closed.close();
  await play(tab, 'Pagar todo');
  await expect.poll(async () => (await rowOf(name))[0]?.status, { timeout: 20_000 }).toBe('completed');
  const back = await context.newPage();
  await visit(back, '/create');
  await expect(back.getByText('Payment Confirmed!')).toBeVisible();
  await back.getByRole('button', { name: 'Crear otro token' }).click();
  await expect(back.getByLabel('Name', { exact: true })).toHaveValue('');
});

test('a second device goes on by the private link, and nobody is overwritten unasked [CREATE-71] [AMB-14]', async ({
  page,
  browser,
  faults,
}) => {
  faults.expectStatus(409);
  await visit(page, '/create');
  const name = await fill(page);
  await next(page).click();
  await saved(page);
  const link = await linkOf(page);
  expect(link).toMatch(/\/create#[0-9a-f-]{36}\.[\w-]{43}\.2$/);

  const there = await guest(browser);
  there.faults.expectStatus(409);
  await visit(there.page, link);
  await expectNotice(there.page, 'Borrador abierto: sigue donde lo dejaste.');
  await expect(heading(there.page, 'Market data')).toBeVisible();
  // The secret does not stay in the address bar, nor in the history.
  expect(there.page.url()).not.toContain('#');
  await there.page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(there.page.getByLabel('Name', { exact: true })).toHaveValue(name);

  await there.page.getByLabel('Description', { exact: true }).fill('Escrito allí.');
  await expect.poll(async () => (await rowOf(name))[0]?.token_data.description).toBe('Escrito allí.');
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.getByLabel('Description', { exact: true }).fill('Escrito aquí.');
  const question = page.getByRole('alertdialog', { name: 'Cambiaste lo mismo en dos dispositivos' });
  await expect(question).toBeVisible();
  await expect(question).toContainText('Escrito aquí.');
  await expect(question).toContainText('Escrito allí.');
  expect(await barriers(page, '[role=alertdialog]')).toEqual([]);
  expect((await rowOf(name))[0]?.token_data.description).toBe('Escrito allí.');
  await question.getByRole('button', { name: 'Quedarme con la de aquí' }).click();
  await expect.poll(async () => (await rowOf(name))[0]?.token_data.description).toBe('Escrito aquí.');

  // The other device learns of it as soon as it has something to say, and takes the other side this time.
  await there.page.getByLabel('Description', { exact: true }).fill('Otra vez allí.');
  const reply = there.page.getByRole('alertdialog');
  await reply.getByRole('button', { name: 'Usar la del otro' }).click();
  await expect(there.page.getByLabel('Description', { exact: true })).toHaveValue('Escrito aquí.');

  // A link that is none, and one on top of another draft.
  there.faults.expectStatus(404);
  await there.page.goto(`/create#${link.split('#')[1]?.replace(/\.[\w-]{43}/, `.${'x'.repeat(43)}`)}`);
  await ready(there.page);
  await expectNotice(there.page, 'Este enlace no abre ningún borrador');
  await expect(there.page.getByLabel('Name', { exact: true })).toHaveValue(name);
  const third = await guest(browser);
  await visit(third.page, '/create');
  await third.page.getByLabel('Name', { exact: true }).fill('El mío');
  await third.page.goto(link);
  await ready(third.page);
  const choice = third.page.getByRole('dialog', { name: 'Ya hay un borrador en este dispositivo' });
  await choice.getByRole('button', { name: 'Abrir el del enlace' }).click();
  await expect(heading(third.page, 'Market data')).toBeVisible();
  await third.page.getByRole('button', { name: 'Cambiar a ese' }).click();
  await expect(third.page.getByLabel('Name', { exact: true })).toHaveValue('El mío');
  expect([...there.faults.seen, ...third.faults.seen]).toEqual([]);
  await there.context.close();
  await third.context.close();
});

test('a reload, a closed tab, a lost network and an ended session lose nothing [CREATE-69] [CREATE-74] [AMB-64]', async ({
  page,
  context,
  faults,
}) => {
  const person = await signUp(context.request);
  await visit(page, '/create');
  const name = await fill(page);
  await page.reload();
  await ready(page);
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(name);
  await expect(page.getByLabel('Telegram username', { exact: true })).toHaveValue('@ana');
  expect(await rowOf(name)).toEqual([]);
  await next(page).click();
  await saved(page);
  expect((await rowOf(name))[0]).toMatchObject({ status: 'incomplete', user_id: person.id });

  // The session ends elsewhere; the draft goes on by its own secret.
  await database.query('delete from sessions where user_id = $1', [person.id]);
  await context.clearCookies();
  await page.getByLabel('Initial sale length').fill('30 días');
  await expect.poll(async () => (await rowOf(name))[0]?.token_data.initialSaleLength).toBe('30 días');

  // The network goes: it is said quietly, and Next goes on all the same.
  await page.route('**/rpc/tokenRequests/save', (route) => route.abort());
  faults.seen.length = 0;
  await page.getByLabel('Initial sale length').fill('40 días');
  await expect(page.getByText(/Sin guardar en el servidor/).first()).toBeVisible();
  await next(page).click();
  await expect(heading(page, 'Redes y contacto')).toBeVisible();
  await page.getByLabel('Discord').fill('discord.gg/ajo');
  const offline = page.url();
  await page.close();
  const again = await context.newPage();
  await visit(again, offline);
  await expect(again.getByLabel('Discord')).toHaveValue('discord.gg/ajo');
  await expect
    .poll(async () => (await rowOf(name))[0]?.token_data, { timeout: 12_000 })
    .toMatchObject({ initialSaleLength: '40 días', discord: 'discord.gg/ajo' });
  expect(faults.seen.filter((line) => !line.includes('ERR_FAILED'))).toEqual([]);
  faults.seen.length = 0;
});

test('a guest’s image is dropped, shown, kept over a change of step, and taken away [CREATE-15..17] [MEDIA-01] [MEDIA-02] [ERR-13..15]', async ({
  page,
}) => {
  await visit(page, '/create');
  const name = await fill(page);
  const picture = await sharp({ create: { width: 60, height: 60, channels: 3, background: '#ffb627' } })
    .png()
    .toBuffer();
  const file = (bytes: Buffer, fileName = 'a.png') => ({ name: fileName, mimeType: 'image/png', buffer: bytes });
  const input = page.locator('input[type=file]');
  await input.setInputFiles(file(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')));
  await expectNotice(
    page,
    'Error al subir imagen',
    'Tipo de archivo no permitido. Solo se permiten JPG, PNG, WebP y GIF.',
  );
  await input.setInputFiles(file(Buffer.alloc(5 * 1024 * 1024 + 1)));
  await expectNotice(page, 'Error al subir imagen', 'El archivo es demasiado grande. Máximo 5MB.');

  // Dropped, and on its way while somebody goes on.
  let release = () => {};
  await page.route('**/uploads?*', async (route) => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    await route.continue();
  });
  const transfer = await page.evaluateHandle(
    (bytes) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes)], 'a.png', { type: 'image/png' }));
      return data;
    },
    [...picture],
  );
  await page.getByText('o suéltala aquí').dispatchEvent('drop', { dataTransfer: transfer });
  await expect(page.getByRole('progressbar', { name: 'Subiendo imagen' })).toBeVisible();
  await next(page).click();
  await expect(heading(page, 'Market data')).toBeVisible();
  release();
  await expectNotice(page, 'Imagen subida exitosamente');
  await expect.poll(async () => (await rowOf(name))[0]?.token_data.imageUrl).toMatch(/^\/media\//);
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(page.getByRole('img', { name: 'Vista previa de la imagen' })).toHaveAttribute('src', /^\/media\//);
  await page.reload();
  await ready(page);
  await page.getByRole('button', { name: 'Quitar imagen' }).click();
  await expect.poll(async () => (await rowOf(name))[0]?.token_data.imageUrl).toBe('');
  await expect
    .poll(
      async () =>
        (
          await database.query('select 1 from media where owner_draft_id = $1 and deleted_at is null', [
            (await rowOf(name))[0]?.id,
          ])
        ).rowCount,
    )
    .toBe(0);
});

test('a rush asks for a proof of work, which the page works out by itself', async ({ page, request }) => {
  for (let i = 0; i < 6; i++) await request.post('/api/token-requests', { data: { data: {} } });
  const asked = page.waitForResponse(
    (response) => response.url().endsWith('/tokenRequests/create') && response.status() === 428,
  );
  await visit(page, '/create');
  const name = await fill(page);
  await next(page).click();
  await asked;
  // The page answers meanwhile.
  await page.getByLabel('Initial sale length').fill('30 días');
  await saved(page);
  expect(await rowOf(name)).toHaveLength(1);
});

test('is usable with assistive technology and on small screens, in both lights', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 320, height: 800 });
  await visit(page, '/create');
  await fill(page, { name: 'Un nombre larguísimo sin ningún espacio: Supercalifragilístico' });
  for (let step = 1; step <= 5; step++) {
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await barriers(page)).toEqual([]);
    }
    await expect(page.getByRole('button', { name: new RegExp(`^Paso ${step} de 5`) })).toHaveAttribute(
      'aria-current',
      'step',
    );
    const small = await page.locator('main :is(button, input, select, a):visible').evaluateAll((controls) =>
      controls
        .map((control) => ({ name: control.textContent, box: control.getBoundingClientRect() }))
        .filter(({ box }) => box.height > 24 && box.height < 40)
        .map(({ name, box }) => `${name} ${box.width}x${box.height}`),
    );
    expect(small).toEqual([]);
    if (step < 5) {
      await next(page).focus();
      await page.keyboard.press('Enter');
    }
  }
  await expect(notice(page)).toHaveCount(0);
});
