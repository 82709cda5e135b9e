import { renderMail } from '#server/mail/templates.ts';
import { expect, test } from './support.ts';

const unsubscribePath = `/unsubscribe?token=${'WyIwMTk4Zjg3Mi0xMjM0LTcx'.repeat(6)}`;

test('the links of the daily mail are readable in the dark theme', async ({ page }) => {
  const line = { kind: 'rounds', detail: 'won', actor: null, title: 'Luna', count: 7, path: '/next' } as const;
  const { html } = renderMail(
    'notificationDigest',
    { lines: [line], more: 0, path: '/notifications', unsubscribePath },
    'en',
    'https://florka.test',
  );
  const colours = async () => {
    await page.setContent(html);
    const colourOf = (name: string) =>
      page.getByRole('link', { name }).evaluate((link) => getComputedStyle(link).color);
    return { line: await colourOf('Round 7 is over'), button: await colourOf('See my notifications') };
  };
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await colours()).toEqual({ line: 'rgb(27, 26, 36)', button: 'rgb(29, 21, 3)' });
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await colours()).toEqual({ line: 'rgb(244, 241, 234)', button: 'rgb(29, 21, 3)' });
});

for (const locale of ['es', 'en'] as const)
  for (const width of [360, 768])
    test(`no mail about notifications is wider than its window, in '${locale}' at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 740 });
      // Members choose these texts, and words need no spaces.
      const line = {
        kind: 'replies',
        detail: 'comment',
        actor: 'ana',
        title: 'Luna'.repeat(25),
        count: 1,
        path: '/forum/a',
      };
      for (const { html } of [
        renderMail('notification', { ...line, unsubscribePath }, locale, 'https://florka.test'),
        renderMail(
          'notificationDigest',
          { lines: [line, { ...line, kind: 'mentions' }], more: 2, path: '/notifications', unsubscribePath },
          locale,
          'https://florka.test',
        ),
        renderMail(
          'savedToken',
          { name: 'Luna'.repeat(20), news: 'promoted', path: '/token/luna', unsubscribePath },
          locale,
          'https://florka.test',
        ),
      ]) {
        await page.setContent(html);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      }
    });
