import type { Page, Route } from '@playwright/test';
import { expect, ready, test, visit } from './support.ts';

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
  test(`nothing moves on a member's forum when the parts for members arrive, at ${width} px`, async ({
    page,
    context,
    member,
  }) => {
    await member(context);
    await page.setViewportSize({ width, height });
    await visit(page, '/forum');
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
      let release = () => {};
      const wait = new Promise<void>((resolve) => {
        release = resolve;
      });
      const hold = async (route: Route) => {
        await wait;
        await route.continue();
      };
      await page.route('**/rpc/auth/me', hold);
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
      await page.unroute('**/rpc/auth/me', hold);
      expect(await placesOf(page), path).toEqual(before);
      const shifts = await shiftsOf(page);
      expect(sum(shifts), `${path}: ${shifts.join('; ')}`).toBeLessThan(0.01);
    }
  });
