import { createECDH } from 'node:crypto';
import { orderOf } from './orders.ts';
import {
  a11yViolations,
  expect,
  expectAfterRetries,
  listening,
  otherBrowser,
  signInAsAdmin,
  signUp,
  test,
  visit,
  watch,
} from './support.ts';

test.describe.configure({ timeout: 120_000 });

test('a member is notified of a comment at once, and reading the notification marks it as read in every tab', async ({
  page,
  context,
  browser,
  member,
  database,
}) => {
  await member(context);
  const title = `Nota ${Date.now().toString(36)}`;
  const made = await context.request.post('/api/forum/posts', { data: { title, content: 'Hola a todos' } });
  const { id } = (await made.json()) as { id: string };
  await visit(page, '/');
  const bell = page.getByRole('banner').getByRole('link', { name: /^Avisos/ });
  await expect(bell).toHaveAccessibleName('Avisos');

  const other = await otherBrowser(browser);
  const errors = watch(other);
  const bob = await member(other);
  const { rows } = await database.query<{ username: string }>(
    'select username from forum_users where new_auth_user_id = $1',
    [bob.id],
  );
  // More comments than a page shows at first: the notification leads to the new one all the same.
  await database.query(
    `insert into forum_comments (post_id, user_id, content, created_at, post_created_at)
     select $1, $2, 'Antes ' || n, now() - interval '1 minute', p.created_at from generate_series(1, 30) n, forum_posts p where p.id = $1`,
    [id, bob.id],
  );
  const answer = await other.newPage();
  await visit(answer, `/forum/${id}`);
  await answer.getByRole('button', { name: /^Comentar «/ }).click();
  await answer.getByRole('article').getByRole('textbox').fill('Te respondo');
  await answer.getByRole('button', { name: 'Comentar', exact: true }).click();
  await expect(answer.getByText('Te respondo')).toBeVisible();

  await expect(bell).toHaveAccessibleName('Avisos: 1 sin leer');
  const second = await context.newPage();
  await visit(second, '/vote');
  const secondBell = second.getByRole('banner').getByRole('link', { name: /^Avisos/ });
  await expect(secondBell).toHaveAccessibleName('Avisos: 1 sin leer');
  await bell.click();
  const item = page.getByRole('link', { name: new RegExp(`${rows[0]?.username} ha comentado tu nota «${title}»`) });
  await expect(item).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
  await item.click();
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/forum/${id}#comment-`));
  const linked = page.getByRole('article').filter({ hasText: 'Te respondo' }).last();
  await expect(linked).toBeFocused();
  await expect(linked).toBeInViewport();
  await expect(bell).toHaveAccessibleName('Avisos');
  await expect(secondBell).toHaveAccessibleName('Avisos');
  // The author of the answer has no unread notification.
  await expect(answer.getByRole('banner').getByRole('link', { name: /^Avisos/ })).toHaveAccessibleName('Avisos');
  expect(errors.seen).toEqual([]);
  await other.close();
});

test('the address in a mail or push marks its notification as read, and a failed marking is reported', async ({
  page,
  context,
  browser,
  member,
  database,
  pageErrors,
}) => {
  const ana = await member(context);
  const title = `Nota ${Date.now().toString(36)}`;
  const made = await context.request.post('/api/forum/posts', { data: { title, content: 'Hola' } });
  const { id } = (await made.json()) as { id: string };
  const other = await otherBrowser(browser);
  await member(other);
  const answer = async (content: string) => {
    await database.query('delete from rate_limits');
    const sent = await other.request.post(`/api/forum/posts/${id}/comments`, { data: { content } });
    expect(sent.status()).toBe(200);
    const { rows } = await database.query<{ id: string; comment: string }>(
      `select id, substr(cause, 9) as comment from notifications where user_id = $1 order by created_at desc limit 1`,
      [ana.id],
    );
    return rows[0] ?? { id: '', comment: '' };
  };
  await answer('Una');
  const latest = await answer('Otra');
  const address = `/forum/${id}?notice=${latest.id}#comment-${latest.comment}`;
  // Whoever opens the address of somebody else reads the page, and marks nothing.
  const theirs = await other.newPage();
  await visit(theirs, address);
  await expect(theirs).toHaveURL(new RegExp(`/forum/${id}#comment-`));
  await visit(page, '/');
  const bell = page.getByRole('banner').getByRole('link', { name: /^Avisos/ });
  await expect(bell).toHaveAccessibleName('Avisos: 2 sin leer');
  await visit(page, address);
  await expect(page.getByRole('article').filter({ hasText: 'Otra' }).last()).toBeFocused();
  await expect(bell).toHaveAccessibleName('Avisos: 1 sin leer');
  await expect(page).toHaveURL(new RegExp(`/forum/${id}#comment-${latest.comment}$`));

  await visit(page, '/notifications');
  const all = page.getByRole('button', { name: 'Marcar todo como leído' });
  await expect(all).toBeVisible();
  // A list that cannot be read again does not delay the report.
  pageErrors.expectLoss('ERR_INTERNET_DISCONNECTED');
  await page.route('**/rpc/notifications/markRead*', (route) => route.abort('internetdisconnected'));
  await page.route('**/rpc/notifications/list*', () => {});
  await all.click();
  await expect(page.getByText('No ha llegado la respuesta')).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await all.click();
  await expect(bell).toHaveAccessibleName('Avisos');
  await other.close();
});

test('each step of an order notifies the member who ordered it, with a link to the order', async ({
  page,
  context,
  browser,
  database,
}) => {
  const { email } = await signUp(context.request);
  await visit(page, '/');
  await listening(page);
  const name = `Ajolote ${Date.now().toString(36)}`;
  const order = await orderOf(context.request, { name, email });
  await order.pay();
  const bell = page.getByRole('banner').getByRole('link', { name: /^Avisos/ });
  await expect(bell).toHaveAccessibleName('Avisos: 1 sin leer', { timeout: 30_000 });

  const staff = await otherBrowser(browser);
  const adminPage = await staff.newPage();
  await signInAsAdmin(adminPage);
  const proposed = await adminPage.request.post(`/api/admin/token-requests/${order.id}/proposal`, {
    data: {
      tokenName: name,
      tokenSymbol: 'AJO',
      ownerWallet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      confirmation: 'AJO',
      network: 'ethereum',
      totalSupply: '1000000',
      withoutPicture: true,
    },
  });
  expect(proposed.status()).toBe(200);
  await expect(bell).toHaveAccessibleName('Avisos: 2 sin leer');
  const { rows } = await database.query<{ id: string }>('select id from payments where order_id = $1', [order.orderId]);
  const refund = { paymentId: rows[0]?.id, asset: 'eth', amount: '0.01', reason: 'Una parte no se hizo.' };
  expect((await adminPage.request.post('/api/admin/refunds', { data: refund })).status()).toBe(200);
  await expect(bell).toHaveAccessibleName('Avisos: 3 sin leer');

  await bell.click();
  const sentences = [
    `Te devolvemos dinero de tu pedido ${order.orderId}: dinos adónde enviarlo`,
    `Tu pedido ${order.orderId}: confirma los datos de tu token`,
    `Pago recibido de tu pedido ${order.orderId}`,
  ];
  const list = page.getByRole('region', { name: 'Tus avisos' }).getByRole('listitem');
  for (const [i, sentence] of sentences.entries()) await expect(list.nth(i)).toContainText(sentence);
  // The address in it has no key: the order is opened by its member.
  await page.getByRole('link', { name: sentences[1] ?? '' }).click();
  await expect(page.getByRole('region', { name: 'Resumen de tu token' })).toBeVisible();
  await expect(page.getByRole('region', { name: /^Devolución RF-/ })).toContainText('Una parte no se hizo.');
  await expect(page).toHaveURL(`/order/${order.id}`);
  await expect(bell).toHaveAccessibleName('Avisos: 2 sin leer');
  await staff.close();
});

test('the settings of notifications are stored, and the permission for pushes is requested only on a click', async ({
  page,
  context,
}) => {
  await signUp(context.request);
  await page.addInitScript(() => {
    Object.assign(window, { asked: 0 });
    // As in a browser without a decision about notifications; a headless one reports them as denied.
    Object.defineProperty(Notification, 'permission', { get: () => 'default' });
    Notification.requestPermission = () => {
      (window as unknown as { asked: number }).asked++;
      return Promise.resolve('denied' as const);
    };
  });
  await visit(page, '/notifications');
  const mail = page.getByRole('combobox', { name: 'Correo: Respuestas' });
  const reactions = page.getByRole('checkbox', { name: 'En la lista: Reacciones' });
  await expect(mail).toBeVisible();
  // The list that is read again after the first choice arrives after the second one, and does not take it back.
  let release = () => {};
  const late = new Promise<void>((resolve) => {
    release = resolve;
  });
  let reading: Promise<void> | undefined;
  await page.route(
    '**/rpc/notifications/settings*',
    (route) => {
      reading = (async () => {
        const response = await route.fetch();
        await late;
        // The page can have aborted the request.
        await route.fulfill({ response }).catch(() => undefined);
      })();
      return reading;
    },
    { times: 1 },
  );
  await mail.selectOption('daily');
  await expect.poll(() => reading !== undefined).toBe(true);
  await reactions.uncheck();
  release();
  await reading;
  await expect(reactions).not.toBeChecked();
  await page.getByRole('checkbox', { name: 'Guardar silencio' }).check();
  // A line of text in the page's own notation: a native field would be in the browser's language and clock.
  const from = page.getByRole('textbox', { name: 'Desde' });
  await from.fill('25:00');
  await page.getByRole('button', { name: 'Guardar', exact: true }).click();
  await expect(from).toBeFocused();
  await expect(page.getByText('Escribe una hora, por ejemplo 23:00.')).toBeVisible();
  await from.fill('22.30');
  await page.getByRole('button', { name: 'Guardar', exact: true }).click();
  await expect(from).toHaveValue('22:30');
  await expect(page.getByText('Guardado', { exact: true })).toBeVisible();
  await visit(page, '/notifications');
  await expect(mail).toHaveValue('daily');
  await expect(reactions).not.toBeChecked();
  await expect(page.getByLabel('Desde')).toHaveValue('22:30');
  expect(await page.evaluate(() => (window as unknown as { asked: number }).asked)).toBe(0);
  await page.getByRole('button', { name: 'Avisarme en este navegador' }).click();
  await expect.poll(() => page.evaluate(() => (window as unknown as { asked: number }).asked)).toBe(1);
});

test('the language of mails and pushes can be chosen, and quiet hours name their time zone', async ({
  page,
  browser,
  context,
}) => {
  const { email, password } = await signUp(context.request);
  await visit(page, '/notifications');
  const language = page.getByRole('combobox', { name: 'Idioma' });
  await expect(language).toHaveValue('es');
  await language.selectOption('en');
  await page.getByRole('checkbox', { name: 'Guardar silencio' }).check();
  await page.getByRole('textbox', { name: 'Desde' }).fill('21:00');
  // The first choice for a kind stores the language of the page, and takes nothing unsaved away.
  const again = page.waitForResponse('**/rpc/notifications/settings*');
  await page.getByRole('combobox', { name: 'Correo: Respuestas' }).selectOption('daily');
  await again;
  await page.getByRole('button', { name: 'Guardar', exact: true }).click();
  await expect(page.getByText('Guardado', { exact: true })).toBeVisible();
  const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  await expect(page.getByText('Este navegador está en')).toHaveCount(0);

  // The same member in a browser of another zone.
  const other = await otherBrowser(browser, { timezoneId: 'Pacific/Auckland' });
  expect((await other.request.post('/api/auth/sign-in', { data: { email, password } })).status()).toBe(200);
  const there = await other.newPage();
  await visit(there, '/notifications');
  await expect(there.getByRole('combobox', { name: 'Idioma' })).toHaveValue('en');
  await expect(there.getByRole('textbox', { name: 'Desde' })).toHaveValue('21:00');
  await expect(there.getByText(`entre estas horas de ${zone}`)).toBeVisible();
  const elsewhere = there.getByText('Este navegador está en Pacific/Auckland: al guardar, serán las horas de allí.');
  await expect(elsewhere).toBeVisible();
  expect(await a11yViolations(there)).toEqual([]);
  await there.getByRole('button', { name: 'Guardar', exact: true }).click();
  await expect(there.getByText('entre estas horas de Pacific/Auckland')).toBeVisible();
  await expect(elsewhere).toHaveCount(0);
  await other.close();
});

test.describe('with its service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('the state of pushes in this browser is shown for this member and session', async ({ page, context }) => {
    const { email, password } = await signUp(context.request);
    // A headless browser has no push service; what it would hold after a subscription.
    await page.addInitScript((point) => {
      const bytes = (text: string) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)).buffer;
      const held = () =>
        localStorage.getItem('held') && {
          endpoint: 'https://fcm.googleapis.com/fcm/send/one',
          options: {},
          getKey: (name: string) => bytes(name === 'p256dh' ? point : 'AAAAAAAAAAAAAAAAAAAAAA=='),
          unsubscribe: async () => true,
        };
      Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
      Notification.requestPermission = async () => 'granted';
      Object.assign(PushManager.prototype, {
        getSubscription: async () => held() || null,
        subscribe: async () => {
          localStorage.setItem('held', 'yes');
          return held();
        },
      });
    }, createECDH('prime256v1').generateKeys('base64'));
    await visit(page, '/notifications');
    const on = page.getByRole('button', { name: 'Avisarme en este navegador' });
    const off = page.getByRole('button', { name: 'Dejar de avisarme aquí' });
    await on.click();
    await expect(off).toBeVisible();
    await visit(page, '/notifications');
    await expect(off).toBeVisible();
    // The subscription of the server ends with the session; that of the browser stays.
    await page.getByRole('banner').getByRole('button', { name: 'Salir' }).click();
    await expect(page.getByRole('link', { name: 'Get Started' }).first()).toBeVisible();
    expect((await context.request.post('/api/auth/sign-in', { data: { email, password } })).status()).toBe(200);
    await visit(page, '/notifications');
    await expect(on).toBeVisible();
    await on.click();
    await expect(off).toBeVisible();
  });
});

test('the first further notification gets the focus, also if some have no link', async ({
  page,
  context,
  member,
  database,
  pageErrors,
}) => {
  pageErrors.expectStatus(500);
  await page.clock.install();
  const { id } = await member(context);
  await database.query(
    `insert into notifications (user_id, kind, cause, detail, data, in_app, created_at, changed_at)
     select $1, 'security', 'test:' || n, 'password', case when n <= 3 then '{}' else '{"path": "/account"}' end::jsonb, true,
       at, at from (select n, now() - make_interval(mins => n) as at from generate_series(1, 25) n) times`,
    [id],
  );
  await visit(page, '/notifications');
  const items = page.getByRole('region', { name: 'Tus avisos' }).getByRole('listitem');
  await expect(items).toHaveCount(20);
  // Further ones that cannot be read are no end of the list.
  await page.route('**/rpc/notifications/list*', (route) => route.fulfill({ status: 500, json: {} }));
  await page.getByRole('button', { name: 'Ver más avisos' }).click();
  const failed = page.getByRole('alert').filter({ hasText: 'No se pudieron cargar tus avisos' });
  await expectAfterRetries(page, failed);
  await expect(items).toHaveCount(20);
  await page.unroute('**/rpc/notifications/list*');
  await page.getByRole('button', { name: 'Ver más avisos' }).click();
  await expect(failed).toHaveCount(0);
  await expect(items).toHaveCount(25);
  await expect(items.nth(20).getByRole('link')).toBeFocused();
});

test('the page of notifications asks a visitor to sign in', async ({ page }) => {
  await visit(page, '/notifications');
  await expect(page.getByRole('heading', { name: 'Entra para ver tus avisos' })).toBeVisible();
});
