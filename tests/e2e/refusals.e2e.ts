import { LIMITS } from '#contract/limits.ts';
import { a11yViolations, expect, ready, test } from './support.ts';

test('too many searches lead to an error page, in both languages, while the forum itself stays available', async ({
  page,
  request,
  pageErrors,
}) => {
  pageErrors.expectStatus(429);
  for (let n = 0; n < LIMITS.searchAddressMinute.hits; n++)
    expect((await request.get(`/forum?q=word-${n}`)).status()).toBe(200);
  for (const [path, heading, words] of [
    ['/forum?q=another', 'Demasiadas búsquedas seguidas', '429 · Espera un minuto'],
    ['/en/news?q=another', 'Too many searches in a row', '429 · Wait a minute'],
  ] as const) {
    const answer = await page.goto(path);
    expect(answer?.status()).toBe(429);
    expect(Number(answer?.headers()['retry-after'])).toBeGreaterThan(0);
    await ready(page);
    await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible();
    await expect(page.getByRole('alert')).toContainText(words);
    expect(await a11yViolations(page)).toEqual([]);
  }
  expect((await page.goto('/forum'))?.status()).toBe(200);
});
