import path from 'node:path';
import { mailTo } from './mails.ts';
import {
  a11yViolations,
  expect,
  listening,
  OwnServer,
  otherBrowser,
  rankingOf,
  runJob,
  signUp,
  test,
  visit,
} from './support.ts';

test.describe.configure({ timeout: 180_000 });

test('at 768 px what members use every day fits, in both languages and lights', async ({ page, context, member }) => {
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
  const own = new OwnServer();
  test.use({ baseURL: own.url, serviceWorkers: 'allow' });
  test.beforeAll(() => own.start());
  test.afterAll(() => own.end());

  test('mails of a kind stop with one click in a browser without a session, and without scripts', async ({
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
    await page.reload();
    await expect(mail).toHaveValue('off');

    // The address of the comment in the same mail marks its notification as read.
    const answer = new URL(/\S+\/forum\/\S+/.exec(text)?.[0] ?? '');
    await visit(page, answer.pathname + answer.search + answer.hash);
    await expect(page.getByRole('banner').getByRole('link', { name: 'Avisos', exact: true })).toBeVisible();
    await expect(page.getByRole('article').filter({ hasText: 'Respondo' }).last()).toBeFocused();
    await database.end();
    await other.close();
    await stranger.close();
  });

  test('a push reaches the worker of the site, which shows its sentence and leads to its page', async ({
    page,
    context,
  }) => {
    await visit(page, '/next');
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
    await listening(page);
    const [worker] = context.serviceWorkers();
    if (!worker) throw new Error('no worker');
    // A headless browser has no place to show a notification: what the worker gives it is recorded.
    await worker.evaluate(() => {
      const scope = globalThis as unknown as { shown: unknown[]; registration: ServiceWorkerRegistration };
      scope.shown = [];
      scope.registration.showNotification = async (title, { body, lang, tag, data } = {}) => {
        scope.shown.push({ title, body, lang, tag, data });
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
    const data = JSON.stringify({
      id: '0b0c8a52-2f0e-4d4c-9a36-0d8f2f4a7a11',
      locale: 'en',
      site: 'Florka',
      mark: null,
      kind: 'follows',
      detail: 'launched',
      actor: null,
      title: 'Luna',
      count: 1,
      path: '/vote?notice=0b0c8a52-2f0e-4d4c-9a36-0d8f2f4a7a11',
    });
    await devtools.send('ServiceWorker.deliverPushMessage', {
      origin: new URL(own.url).origin,
      registrationId: await registration,
      data,
    });
    const shown = () => worker.evaluate(() => (globalThis as unknown as { shown: unknown[] }).shown);
    await expect.poll(shown).toEqual([
      {
        title: 'Tokens that you follow',
        body: expect.stringContaining('Luna'),
        lang: 'en',
        // A repeated one replaces the first.
        tag: '0b0c8a52-2f0e-4d4c-9a36-0d8f2f4a7a11',
        data: { path: '/en/vote?notice=0b0c8a52-2f0e-4d4c-9a36-0d8f2f4a7a11' },
      },
    ]);
  });
});
