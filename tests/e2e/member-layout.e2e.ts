import type { Page } from '@playwright/test';
import {
  expect,
  heldRequest,
  listening,
  otherBrowser,
  rankingOf,
  ready,
  signInAsAdmin,
  test,
  visit,
} from './support.ts';

/** Collects, from the first paint on, how far what is in view moves without an input. */
const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: { node: Element | null }[];
      })[])
        if (!entry.hadRecentInput)
          shifts.push(
            `${entry.value.toFixed(4)} ${entry.sources.map(({ node }) => node?.parentElement?.textContent?.slice(0, 30) ?? '?').join(' | ')}`,
          );
    }).observe({ type: 'layout-shift', buffered: true });
  });
const shiftsOf = (page: Page) => page.evaluate(() => (globalThis as unknown as { shifts: string[] }).shifts);
const sum = (shifts: string[]) => shifts.reduce((all, one) => all + Number.parseFloat(one), 0);

/** Where each post begins, and where its board ends. */
const placesOf = (page: Page) =>
  page.evaluate(() => {
    const board = document.getElementById('posts');
    const top = (one: Element) => Math.round(one.getBoundingClientRect().top + scrollY);
    return [
      ...[...(board?.querySelectorAll(':scope > ol > li > article') ?? [])].map((post) => [
        post.querySelector('h2')?.textContent ?? '',
        top(post),
      ]),
      ['end', Math.round((board?.getBoundingClientRect().bottom ?? 0) + scrollY)],
    ];
  });

for (const { width, height } of [
  { width: 360, height: 740 },
  { width: 1280, height: 900 },
])
  test(`nothing moves on a member's forum when the parts for members are loaded, at ${width} px`, async ({
    page,
    context,
    browser,
    member,
  }) => {
    // The author line of a deleted account has no id.
    const gone = await otherBrowser(browser);
    const { password } = await member(gone);
    const left = await gone.request.post('/api/forum/posts', { data: { title: 'Me fui', content: 'Esto queda.' } });
    expect(left.ok()).toBe(true);
    expect((await gone.request.post('/api/account/remove', { data: { password } })).status()).toBe(200);
    await member(context);
    await page.setViewportSize({ width, height });
    await visit(page, '/forum');
    await expect(page.getByRole('heading', { name: 'Me fui' }).first()).toBeVisible();
    // Signed in, so this browser is known as a member's from now on.
    // What was removed has no comments.
    const post = page
      .locator('#posts > ol > li > article')
      .filter({ has: page.getByRole('heading', { level: 3, includeHidden: true }) });
    await expect(post.getByRole('button', { name: /^Comentar «/ })).toHaveCount(await post.count());
    const [first] = await page.evaluate(async () => {
      const { items } = await (await fetch('/api/forum/posts')).json();
      return (items as { id: string; commentCount: number }[]).filter((one) => one.commentCount > 0);
    });
    await watchShifts(page);
    for (const path of ['/forum', `/forum/${first?.id}`, '/en/forum']) {
      const release = await heldRequest(page, '**/rpc/auth/me', Number.POSITIVE_INFINITY);
      await page.goto(path);
      await ready(page);
      const before = await placesOf(page);
      expect(before.length, path).toBeGreaterThan(1);
      release();
      const count = await post.count();
      // Buttons to comment, to react, and to report come with the session, the code for members and the code of actions.
      await expect(post.getByRole('button', { name: /^(Comentar «|Comment on “)/ }), path).toHaveCount(count);
      await expect(post.getByRole('group', { name: /^(Reacciones|Reactions)$/ }), path).toHaveCount(count);
      await expect(post.getByRole('button', { name: /^(Denunciar|Report) / }).first(), path).toBeVisible();
      await page.unroute('**/rpc/auth/me');
      expect(await placesOf(page), path).toEqual(before);
      const shifts = await shiftsOf(page);
      expect(sum(shifts), `${path}: ${shifts.join('; ')}`).toBeLessThan(0.01);
    }
  });

for (const { width, height } of [
  { width: 360, height: 740 },
  { width: 1280, height: 900 },
])
  test(`nothing moves on the pages of a member who voted, saved a token and has stored drafts, at ${width} px`, async ({
    page,
    context,
    member,
  }) => {
    const { id } = await member(context);
    const [token] = await rankingOf(page.request);
    const { items } = await (await page.request.get('/api/forum/posts')).json();
    const post = (items as { id: string; content: string | null }[]).find(({ content }) => content !== null);
    if (!post) throw new Error('the forum has no post');
    expect((await page.request.post(`/api/candidates/${token?.id}/votes`, { data: {} })).status()).toBe(200);
    await page.request.put(`/api/saved/candidate/${token?.id}`, { data: { saved: true } });
    await page.setViewportSize({ width, height });
    await visit(page, '/');
    await expect(page.locator('html')).toHaveAttribute('data-member', /./);
    await page.evaluate(
      ([member, token, post]) => {
        const at = String(Date.now());
        const draft = { title: 'Un borrador', content: 'con su texto', category: '', tags: '', images: '', at };
        for (const name of [`post.${member}`, `post.${member}.${token}`])
          localStorage.setItem(`florka.draft.${name}`, JSON.stringify(draft));
        localStorage.setItem(`florka.draft.comment.${member}.${post}`, JSON.stringify({ content: 'una duda', at }));
      },
      [id, token?.id, post.id] as const,
    );
    await watchShifts(page);
    const phone = width < 1024;
    const resume = page.getByRole('button', { name: /^Seguir con el borrador/ });
    for (const [path, shown] of [
      [`/token/${token?.tokenSlug}/candidate`, page.getByRole('button', { name: /^Ver mi ticket/ })],
      ['/vote', page.getByText(/^Sesión iniciada como/)],
      ['/forum', phone ? resume.first() : page.getByRole('textbox', { name: 'Título' })],
      [`/forum/${post.id}`, resume.last()],
      ['/notifications', page.getByRole('heading', { name: 'Este navegador' })],
    ] as const) {
      const release = await heldRequest(page, '**/rpc/auth/me', Number.POSITIVE_INFINITY);
      await page.goto(path);
      await ready(page);
      release();
      await expect(shown, path).toBeVisible();
      await page.unroute('**/rpc/auth/me');
      await expect(page.getByRole('banner').getByRole('link', { name: /^Mi cuenta/ }), path).toHaveCount(phone ? 0 : 1);
      const shifts = await shiftsOf(page);
      expect(sum(shifts), `${path}: ${shifts.join('; ')}`).toBeLessThan(0.01);
    }
    // The draft is behind the button.
    await visit(page, `/forum/${post.id}`);
    await resume.last().click();
    await expect(page.getByRole('textbox', { name: /^Comentar «/ })).toHaveValue('una duda');
    await expect(page.getByRole('textbox', { name: /^Comentar «/ })).toBeFocused();
  });

for (const { width, path } of [
  { width: 360, path: '' },
  { width: 768, path: '/en' },
  { width: 1280, path: '/en' },
])
  test(`nothing moves on a candidate's page after one's own vote, at ${width} px`, async ({
    page,
    context,
    member,
  }) => {
    await member(context);
    const [token] = await rankingOf(page.request);
    await page.setViewportSize({ width, height: 900 });
    await visit(page, `${path}/`);
    await expect(page.locator('html')).toHaveAttribute('data-member', 'yes');
    await watchShifts(page);
    await visit(page, `${path}/token/${token?.tokenSlug}/candidate`);
    await expect(page.getByRole('banner').getByRole('link', { name: /^(Mi cuenta|My account)/ })).toHaveCount(
      width < 640 ? 0 : 1,
    );
    const before = (await shiftsOf(page)).length;
    const release = await heldRequest(page, '**/rpc/voting/cast');
    const button = page.getByRole('button', { name: /^(Votar por|Vote for) / });
    const control = await button.locator('xpath=../..').elementHandle();
    const reserved = (await control?.boundingBox())?.width;
    await button.click();
    // What moves within half a second of an input does not count as a shift (Layout Instability API): the answer comes later.
    const clicked = await page.evaluate(() => performance.now());
    await page.waitForFunction((at) => performance.now() - at > 500, clicked);
    release();
    await expect(page.getByRole('link', { name: /^(Ver el recibo|See the receipt)/ })).toBeVisible();
    await expect(page.getByRole('button', { name: /^(Ver mi ticket|See my ticket)/ })).toBeVisible();
    // Nothing may be beside the control that a wider one would move, so its own width is compared too.
    expect((await control?.boundingBox())?.width).toBe(reserved);
    const shifts = (await shiftsOf(page)).slice(before);
    expect(sum(shifts), shifts.join('; ')).toBeLessThan(0.001);
  });

test('figures of a token that were fetched again before their code was loaded are rendered without an error', async ({
  browser,
  page,
  context,
  member,
}) => {
  await member(context);
  const [token] = await rankingOf(page.request);
  // Every reading after the document is ten minutes later.
  await page.route('**/rpc/tokens/*', async (route) => {
    const response = await route.fetch();
    const { json } = (await response.json()) as { json: { serverTime?: string } };
    if (json.serverTime) json.serverTime = new Date(Date.parse(json.serverTime) + 600_000).toISOString();
    await route.fulfill({ response, json: { json } });
  });
  const release = await heldRequest(page, '**/assets/token-details-*.js');
  await visit(page, `/token/${token?.tokenSlug}/candidate`);
  await listening(page);
  const read = page.waitForResponse('**/rpc/tokens/*');
  const adminPage = await (await otherBrowser(browser)).newPage();
  await signInAsAdmin(adminPage);
  const name = `Jacaranda ${Date.now().toString(36)}`;
  const data = {
    tokenName: name,
    tokenSymbol: 'JAC',
    resemblanceAccepted: true,
    tokenAddress: `jacaranda-${Date.now().toString(36)}`,
  };
  expect((await adminPage.request.post('/api/admin/projects', { data })).status()).toBe(200);
  await read;
  const released = page.waitForResponse('**/assets/token-details-*.js');
  release();
  await released;
  await listening(page);
  await expect(page.getByText('Liquidez').first()).toBeVisible();
  await adminPage.context().close();
});
