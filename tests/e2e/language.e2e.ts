import type { Page } from '@playwright/test';
import { expect, signInAsAdmin, test, visit } from './support.ts';

/** Words that the specification quotes in English; Spanish pages have them in English too. */
const QUOTED = [
  ...['Home', 'Next', 'Vote', 'News', 'Create', 'Publish', 'Get Started', 'View Details', 'Florka Tokens on Solana'],
  ...['Market Cap', 'Progress', 'All', 'New', 'CREATE YOUR TOKEN', 'Back', 'Name', 'Ticker', 'Description', 'Advanced'],
  ...['Creator LP fee share', 'Socials & more options', 'Publish Your Project', 'Submit for Review'],
  ...['Share your token project with the community', 'Current Price', '24h Volume', 'Holders', 'Max Supply'],
  ...['Total Votes', 'Votes Today', 'Voting Performance', 'Token Overview', 'About This Token', 'Community & Links'],
  ...['Official Website', 'Unexpected Application Error!', 'Please fill in token name, symbol, and description.'],
];
/** The same, of the back office. */
const QUOTED_IN_BACK_OFFICE = [
  ...['Total Users', 'Projects', 'Total Votes', 'News Articles', 'Online Now', 'Home Projects', 'Next Projects'],
  ...['Voting System', 'News Management', 'Community Forum', 'User Management', 'Publication Requests'],
  ...['Token Creation', 'Community Overview', 'Active Moderators', 'Pending Requests', 'Forum Posts', 'Back to Site'],
  ...['Sign Out', 'Create Token', 'PNG, JPG, GIF max 5MB', 'Unexpected Application Error!'],
];
/** Internal names that no page shows. */
const RAW = /^(entry|basic|standard|complete|waiting|pending|solana|ethereum|bnb|polygon|password|null|undefined)$/i;
/** Names that are written alike. */
const NAMES = ['Solana', 'Ethereum', 'Polygon', 'BNB'];

interface Words {
  words: string;
  /** Language of the nearest element with a lang attribute. */
  lang: string;
  /** In a label, heading or control: not somebody's own words. */
  own: boolean;
}

/** Every text of the page. */
const textsOf = (page: Page): Promise<Words[]> =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: Words[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const words = node.textContent?.trim() ?? '';
      const parent = node.parentElement;
      if (!words || !parent || parent.closest('script, style, noscript')) continue;
      const own = parent.closest('label, legend, button, nav, h1, summary') !== null;
      found.push({ words, lang: parent.closest('[lang]')?.getAttribute('lang') ?? '', own });
    }
    return found;
  });

/** Common English words that no Spanish text contains. */
const ENGLISH = /\b(the|your|with|and|for|this|please|token info|market data|payment|network|link|website|owner)\b/i;

test('on Spanish pages English texts of the site are marked as English [WCAG 3.1.2]', async ({
  page,
  request,
  pageErrors,
}) => {
  pageErrors.expectStatus(404);
  const { items } = (await (await request.get('/api/candidates?limit=1')).json()) as { items: { tokenSlug: string }[] };
  const paths = ['/', '/vote', '/next', '/news', '/create', '/publish', '/auth', '/saved', '/terms', '/nowhere'];
  const met = new Set<string>();
  for (const path of [...paths, `/token/${items[0]?.tokenSlug}/candidate`]) {
    await visit(page, path);
    if (path === '/create') await page.getByRole('button', { name: 'Next' }).click();
    const texts = await textsOf(page);
    const unmarked = texts.filter(
      ({ words, lang, own }) => lang === 'es' && (QUOTED.includes(words) || (own && ENGLISH.test(words))),
    );
    expect(unmarked, path).toEqual([]);
    for (const { words, lang } of texts) if (lang === 'en') met.add(words);
  }
  // The list above has entries.
  expect(QUOTED.filter((words) => met.has(words)).length).toBeGreaterThan(20);
});

test('in the back office English texts are marked as English, and no internal names are shown [WCAG 3.1.2]', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expectStatus(404);
  await signInAsAdmin(page);
  const met = new Set<string>();
  const screens = ['', '/audit', '/networks', '/votes', '/next-projects', '/projects', '/money', '/users', '/inbox'];
  for (const path of [...screens, '/token-creation', '/token-creation?tab=create', '/nothing-here']) {
    await visit(page, `/admin${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    if (path === '/next-projects') await page.getByRole('button', { name: 'Nuevo Proyecto NEXT' }).click();
    const texts = await textsOf(page);
    const raw = texts.filter(({ words }) => RAW.test(words) && !NAMES.includes(words));
    expect(raw, path).toEqual([]);
    expect(
      texts.filter(({ words, lang }) => lang === 'es' && QUOTED_IN_BACK_OFFICE.includes(words)),
      path,
    ).toEqual([]);
    for (const { words, lang } of texts) if (lang === 'en') met.add(words);
  }
  expect(QUOTED_IN_BACK_OFFICE.filter((words) => !met.has(words))).toEqual([]);
});

test('texts that members wrote in the other language are marked with it, in both languages [WCAG 3.1.2]', async ({
  page,
}) => {
  const spanish = '¿Soy yo o el Cóndor viene volando bajito y rápido?';
  const english = 'PSA: read the permission, not the button';
  for (const [path, mine, other, lang] of [
    ['/forum', spanish, english, 'en'],
    ['/en/forum', english, spanish, 'es'],
  ] as const) {
    // Searched for, because other scenarios' posts are newer.
    await visit(page, `${path}?q=${encodeURIComponent(other)}`);
    await expect(page.getByRole('heading', { name: other }).locator(`[lang=${lang}]`)).toHaveText(other);
    await visit(page, `${path}?q=${encodeURIComponent(mine)}`);
    await expect(page.getByRole('heading', { name: mine, exact: true })).toBeVisible();
    await expect(page.getByRole('heading', { name: mine }).locator('[lang]')).toHaveCount(0);
  }
  await visit(page, '/en');
  await expect(page.getByRole('article').locator('p[lang=es], p [lang=es]').first()).toBeVisible();
});
