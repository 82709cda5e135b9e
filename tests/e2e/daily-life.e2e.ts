import path from 'node:path';
import { startPushServer } from '../support/services/push-server.ts';
import { mailTo } from './mails.ts';
import { a11yViolations, expect, OwnServer, otherBrowser, rankingOf, runJob, signUp, test, visit } from './support.ts';

test.describe.configure({ timeout: 180_000 });

const PUSH_SERVICE = 'https://fcm.googleapis.com';
const service = await startPushServer(PUSH_SERVICE);

test('the pages that members use every day fit at 768 px, in both languages and themes', async ({
  page,
  context,
  member,
}) => {
  const { username } = await member(context);
  const [first, second] = await rankingOf(page.request);
  const made = await context.request.post('/api/forum/posts', { data: { title: 'Ancho', content: 'Hola' } });
  const { id } = (await made.json()) as { id: string };
  await page.setViewportSize({ width: 768, height: 1024 });
  for (const [at, where] of [
    '/notifications',
    `/search?q=${first?.tokenName}`,
    '/forum',
    `/forum/${id}`,
    `/token/${first?.tokenSlug}/candidate`,
    `/member/${username}`,
    '/tokens?kind=candidate',
    `/compare?a=${first?.tokenSlug}&b=${second?.tokenSlug}`,
    '/vote/race',
  ].entries()) {
    const address = at % 2 === 0 ? where : `/en${where}`;
    await visit(page, address);
    expect(await a11yViolations(page), address).toEqual([]);
  }
});

test.describe('on a server of its own', () => {
  // What the server sends to this push service arrives at the stand-in.
  const redirected = `const real = fetch;
    globalThis.fetch = (to, init) => real(String(to).replace('${PUSH_SERVICE}', '${service.url}'), init);`;
  const own = new OwnServer({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(redirected)}` });
  test.use({ baseURL: own.url, serviceWorkers: 'allow' });
  test.beforeAll(() => own.start());
  test.afterAll(async () => {
    await own.end();
    await service.close();
  });

  test('one click on the link of a mail stops mails of its kind, without a session and without scripts', async ({
    page,
    context,
    browser,
  }) => {
    const ana = await signUp(context.request);
    const database = await own.database();
    await database.query('update users set email_verified = true where id = $1', [ana.id]);
    await visit(page, '/notifications');
    const mail = page.getByRole('combobox', { name: 'Correo: Respuestas' });
    await mail.selectOption('now');
    await expect
      .poll(
        async () => (await database.query('select mail from notification_settings where user_id = $1', [ana.id])).rows,
      )
      .toEqual([{ mail: 'now' }]);
    const made = await context.request.post('/api/forum/posts', { data: { title: 'Correo', content: 'Hola' } });
    const { id } = (await made.json()) as { id: string };
    const other = await otherBrowser(browser, { baseURL: own.url });
    await signUp(other.request);
    const sent = await other.request.post(`/api/forum/posts/${id}/comments`, { data: { content: 'Respondo' } });
    expect(sent.status()).toBe(200);
    await runJob(database, 'deliver-notifications');
    const text = await mailTo(path.join(own.data, 'outbox'), ana.email, /ha comentado tu nota/);
    const stop = new URL(/\S+\/unsubscribe\?token=\S+/.exec(text)?.[0] ?? '');

    const stranger = await otherBrowser(browser, { baseURL: own.url, javaScriptEnabled: false });
    const tab = await stranger.newPage();
    await tab.goto(stop.pathname + stop.search);
    await tab.getByRole('main').getByRole('button').click();
    await expect(tab).toHaveURL(/\/unsubscribe\?done=1$/);
    await expect(tab.getByText('Hecho: no recibirás más correos sobre esto.')).toBeVisible();
    await page.reload();
    await expect(mail).toHaveValue('off');
    await tab.goto(`/en${stop.pathname}${stop.search}`);
    await tab.getByRole('main').getByRole('button', { name: 'Stop the notices' }).click();
    await expect(tab).toHaveURL(/\/en\/unsubscribe\?done=1$/);
    await expect(tab.getByText('Done: no more mails about this.')).toBeVisible();
    // Also a link that is not known leads to both places where mails are turned off.
    await tab.goto('/en/unsubscribe?token=unknown');
    await tab.getByRole('main').getByRole('button', { name: 'Stop the notices' }).click();
    await expect(tab).toHaveURL(/\/en\/unsubscribe\?unknown=1$/);
    for (const [name, address] of [
      ['My notifications', '/en/notifications'],
      ['Saved', '/en/saved'],
    ] as const)
      await expect(tab.getByRole('main').getByRole('link', { name })).toHaveAttribute('href', address);

    // The address of the comment in the same mail marks its notification as read.
    const answer = new URL(/\S+\/forum\/\S+/.exec(text)?.[0] ?? '');
    await visit(page, answer.pathname + answer.search + answer.hash);
    await expect(page.getByRole('banner').getByRole('link', { name: 'Avisos', exact: true })).toBeVisible();
    await expect(page.getByRole('article').filter({ hasText: 'Respondo' }).last()).toBeFocused();
    await database.end();
    await other.close();
    await stranger.close();
  });

  test('a push arrives encrypted, the service worker shows it, and a click on it opens the page and marks it as read', async ({
    page,
    context,
    browser,
  }) => {
    const phone = service.browser('phone');
    const ana = await signUp(context.request);
    // A headless browser has no push service, and no place to show a notification.
    await page.addInitScript(({ endpoint, p256dh, auth }) => {
      Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
      Notification.requestPermission = async () => 'granted';
      const bytes = (text: string) =>
        Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0)).buffer;
      const subscription = {
        endpoint,
        options: {},
        getKey: (name: string) => bytes(name === 'auth' ? auth : p256dh),
        unsubscribe: async () => true,
      } as unknown as PushSubscription;
      PushManager.prototype.getSubscription = async () =>
        document.documentElement.dataset['siteKey'] ? subscription : null;
      PushManager.prototype.subscribe = async (options) => {
        document.documentElement.dataset['siteKey'] = String(options?.applicationServerKey);
        return subscription;
      };
    }, phone.subscription);
    await visit(page, '/notifications');
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
    await page.getByRole('button', { name: 'Avisarme en este navegador' }).click();
    await expect(page.getByRole('button', { name: 'Dejar de avisarme aquí' })).toBeVisible();
    const siteKey = (await page.locator('html').getAttribute('data-site-key')) ?? '';

    const title = `Empuje ${Date.now().toString(36)}`;
    const made = await context.request.post('/api/forum/posts', { data: { title, content: 'Hola' } });
    const { id } = (await made.json()) as { id: string };
    const other = await otherBrowser(browser, { baseURL: own.url });
    const bob = await signUp(other.request);
    const sent = await other.request.post(`/api/forum/posts/${id}/comments`, { data: { content: 'Te contesto' } });
    expect(sent.status()).toBe(200);
    const database = await own.database();
    await runJob(database, 'deliver-notifications');
    await expect.poll(() => service.arrived.length).toBe(1);
    expect(service.arrived[0]?.body.includes(title)).toBe(false);
    const [message] = phone.read(siteKey);

    const [worker] = context.serviceWorkers();
    if (!worker) throw new Error('no worker');
    await worker.evaluate(() => {
      const scope = globalThis as unknown as { shown: unknown[]; registration: ServiceWorkerRegistration };
      scope.shown = [];
      scope.registration.showNotification = async (name, { body, lang, tag, data } = {}) => {
        scope.shown.push({ name, body, lang, tag, data });
      };
    });
    const devtools = await context.newCDPSession(page);
    const registration = new Promise<string>((resolve) => {
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [one] = registrations;
        if (one) resolve(one.registrationId);
      });
    });
    await devtools.send('ServiceWorker.enable');
    await devtools.send('ServiceWorker.deliverPushMessage', {
      origin: new URL(own.url).origin,
      registrationId: await registration,
      data: JSON.stringify(message),
    });
    const { rows } = await database.query<{ id: string; comment: string }>(
      `select id, substr(cause, 9) as comment from notifications where user_id = $1`,
      [ana.id],
    );
    const [notification] = rows;
    const shown = () => worker.evaluate(() => (globalThis as unknown as { shown: unknown[] }).shown);
    await expect.poll(shown).toEqual([
      {
        name: 'Respuestas',
        body: `${bob.username} ha comentado tu nota «${title}»`,
        lang: 'es',
        // A repeated one replaces the first.
        tag: notification?.id,
        data: { path: `/forum/${id}?notice=${notification?.id}#comment-${notification?.comment}` },
      },
    ]);

    const bell = page.getByRole('banner').getByRole('link', { name: /^Avisos/ });
    await expect(bell).toHaveAccessibleName('Avisos: 1 sin leer');
    const opened = await worker.evaluate(async () => {
      const scope = globalThis as unknown as {
        Clients: { prototype: { openWindow: unknown } };
        shown: [{ data: unknown }];
      };
      const [{ data }] = scope.shown;
      return new Promise<string>((resolve) => {
        // Without a person's click the browser refuses to open a page, and to extend the life of the event.
        scope.Clients.prototype.openWindow = async (path: string) => resolve(path);
        dispatchEvent(
          Object.assign(new Event('notificationclick'), { notification: { close() {}, data }, waitUntil() {} }),
        );
      });
    });
    await page.goto(opened);
    await expect(page).toHaveURL(new RegExp(`/forum/${id}#comment-${notification?.comment}$`));
    await expect(page.getByRole('article').filter({ hasText: 'Te contesto' }).last()).toBeFocused();
    await expect(bell).toHaveAccessibleName('Avisos');
    // The bell counts it as read before the server has stored it.
    await expect
      .poll(async () => {
        const read = await database.query('select 1 from notifications where id = $1 and read_at is not null', [
          notification?.id,
        ]);
        return read.rowCount;
      })
      .toBe(1);
    await database.end();
    await other.close();
  });
});
