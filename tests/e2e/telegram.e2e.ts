import { BOT, startTelegramEmulator, type TelegramPerson, TOKEN } from '../support/services/telegram-emulator.ts';
import {
  a11yViolations,
  expect,
  expectNotice,
  listening,
  OwnServer,
  otherBrowser,
  signInAsAdmin,
  signUp,
  test,
  visit,
  watch,
} from './support.ts';

const telegram = await startTelegramEmulator();
const server = new OwnServer({ ADMIN_SECOND_FACTOR: 'off', TELEGRAM_API_URL: telegram.url });
test.use({ baseURL: server.url });
test.describe.configure({ mode: 'serial', timeout: 120_000 });
test.beforeAll(() => server.start());
test.afterAll(async () => {
  await server.end();
  await telegram.close();
});

/** The jobs are scheduled every minute; the scenario runs them without waiting for that. */
async function deliver(): Promise<void> {
  const database = await server.database();
  try {
    const { rows } = await database.query(
      `insert into jobs.job (name, data) values ('deliver-notifications', '{}') returning id`,
    );
    const state = async () =>
      (await database.query('select state from jobs.job where id = $1', [rows[0].id])).rows[0]?.state;
    await expect.poll(state, { timeout: 20_000, intervals: [200] }).toBe('completed');
  } finally {
    await database.end();
  }
}

test('without a bot no member is offered Telegram, and an admin sets a bot up and tests it', async ({ page }) => {
  await signInAsAdmin(page);
  await visit(page, '/notifications');
  await expect(page.getByRole('heading', { name: 'Este navegador' })).toBeVisible();
  await expect(page.getByText('Telegram', { exact: false })).toHaveCount(0);

  await visit(page, '/admin/settings');
  const part = page.getByRole('region', { name: 'Telegram', exact: true });
  await part.getByRole('button', { name: 'Comprobar el bot' }).click();
  await expect(part.getByRole('status')).toContainText('No hay bot: faltan el token y el nombre.');
  await part.getByLabel('Token del bot', { exact: true }).fill(TOKEN);
  await part.getByLabel('Nombre del bot', { exact: true }).fill(`@${BOT}`);
  await part.getByRole('button', { name: 'Guardar' }).click();
  await expectNotice(page, 'Ajustes guardados');
  await part.getByRole('button', { name: 'Comprobar el bot' }).click();
  await expect(part.getByRole('status')).toContainText(`Telegram conoce al bot: @${BOT}`);
  expect(await a11yViolations(page)).toEqual([]);
  await page.reload();
  await expect(part.getByLabel('Nombre del bot', { exact: true })).toHaveValue(BOT);
  expect(await page.content()).not.toContain(TOKEN);
});

test('a member links a chat, is notified of a mention there, and unlinks it with /stop', async ({
  page,
  context,
  browser,
}) => {
  const ana = await signUp(context.request);
  const phone: TelegramPerson = { id: 7_000_000_001, first_name: 'Ana', username: 'ana_tg', language_code: 'es' };
  await visit(page, '/notifications');
  await listening(page);
  await expect(page.getByRole('checkbox', { name: 'Telegram: Menciones' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Vincular mi Telegram' }).click();
  const open = page.getByRole('link', { name: `Abrir @${BOT}` });
  await expect(open).toBeFocused();
  const address = new URL((await open.getAttribute('href')) ?? '');
  expect(address.origin + address.pathname).toBe(`https://t.me/${BOT}`);
  expect(await a11yViolations(page)).toEqual([]);

  telegram.write(phone, `/start ${address.searchParams.get('start')}`);
  await expect.poll(() => telegram.read(phone)).toEqual([expect.stringContaining(`de la cuenta ${ana.username}`)]);
  // The open page receives the event.
  await expect(page.getByText('Vinculado con el chat de @ana_tg', { exact: false })).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Telegram: Menciones' })).toBeChecked();
  await page.getByRole('checkbox', { name: 'Telegram: Reacciones' }).uncheck();
  expect(await a11yViolations(page)).toEqual([]);

  const other = await otherBrowser(browser, { baseURL: server.url });
  const errors = watch(other);
  const bob = await signUp(other.request);
  const title = `Nota <b>${Date.now().toString(36)}</b>`;
  const made = await other.request.post('/api/forum/posts', { data: { title, content: `Hola @${ana.username}` } });
  expect(made.status()).toBe(200);
  const { id } = (await made.json()) as { id: string };
  await expect(page.getByRole('link', { name: /te menciona en/ })).toBeVisible();
  await deliver();
  const [sentence = '', link = ''] = (telegram.read(phone).at(-1) ?? '').split('\n');
  expect(sentence).toBe(`${bob.username} te menciona en «${title}»`);
  const opened = new URL(link);
  expect(opened.origin + opened.pathname).toBe(`${server.url}/forum/${id}`);
  // The address marks the notification as read.
  await visit(page, opened.pathname + opened.search);
  await expect(page.getByRole('banner').getByRole('link', { name: /^Avisos/ })).toHaveAccessibleName(
    'Avisos: 1 sin leer',
  );
  await visit(page, '/notifications');
  await listening(page);

  telegram.write(phone, '/stop');
  await expect.poll(() => telegram.read(phone).at(-1)).toContain('este chat ya no recibe avisos');
  await expect(page.getByRole('button', { name: 'Vincular mi Telegram' })).toBeVisible();
  const count = telegram.messages.length;
  await other.request.post('/api/forum/posts', { data: { title: `${title} 2`, content: `Otra vez @${ana.username}` } });
  await deliver();
  expect(telegram.messages.length).toBe(count);
  expect(errors.seen).toEqual([]);
  await other.close();
});

test('a member links a chat in English, and unlinks it on the page of notifications', async ({ page, context }) => {
  await signUp(context.request);
  const phone: TelegramPerson = { id: 7_000_000_002, first_name: 'Bob', language_code: 'es' };
  // A computer whose clock is an hour ahead: the link is valid for ten minutes of the server's clock.
  await page.clock.install({ time: new Date(Date.now() + 3_600_000) });
  await visit(page, '/en/notifications');
  await listening(page);
  await page.getByRole('button', { name: 'Link my Telegram' }).click();
  const open = page.getByRole('link', { name: `Open @${BOT}` });
  await expect(open).toBeFocused();
  const href = (await open.getAttribute('href')) ?? '';
  telegram.write(phone, `/start ${new URL(href).searchParams.get('start')}`);
  await expect(page.getByText('Linked to the chat of Bob', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Unlink Telegram' }).click();
  await expectNotice(page, 'Telegram is unlinked');
  await expect(page.getByRole('button', { name: 'Link my Telegram' })).toBeFocused();
  await expect.poll(() => telegram.read(phone).length).toBe(1);
  await deliver();
  expect(telegram.read(phone).at(-1)).toBe('Done: this chat gets no more notifications of Florka.');
});
