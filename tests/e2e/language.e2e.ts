import { expect, test, visit } from './support.ts';

/** Words that the documents quote in English, which stand so on Spanish pages too. */
const QUOTED = [
  ...['Home', 'Next', 'Vote', 'News', 'Create', 'Publish', 'Get Started', 'View Details', 'Florka Tokens on Solana'],
  ...['Market Cap', 'Progress', 'All', 'New', 'CREATE YOUR TOKEN', 'Back', 'Name', 'Ticker', 'Description', 'Advanced'],
  ...['Creator LP fee share', 'Socials & more options', 'Publish Your Project', 'Submit for Review'],
  ...['Share your token project with the community', 'Current Price', '24h Volume', 'Holders', 'Max Supply'],
  ...['Total Votes', 'Votes Today', 'Voting Performance', 'Token Overview', 'About This Token', 'Community & Links'],
  ...['Official Website', 'Unexpected Application Error!'],
];
/** English words of every day that no Spanish text has. */
const ENGLISH = /\b(the|your|with|and|for|this|please|token info|market data|payment|network|link|website|owner)\b/i;

test('on Spanish pages what is English is marked as English, and nothing else of ours is [WCAG 3.1.2]', async ({
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
    const texts = await page.evaluate(() => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found: { words: string; lang: string; own: boolean }[] = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const words = node.textContent?.trim() ?? '';
        const parent = node.parentElement;
        if (!words || !parent || parent.closest('script, style, noscript')) continue;
        // Names and descriptions of tokens are their writers' words.
        const own = parent.closest('label, legend, button, nav, h1, summary') !== null;
        found.push({ words, lang: parent.closest('[lang]')?.getAttribute('lang') ?? '', own });
      }
      return found;
    });
    const unmarked = texts.filter(
      ({ words, lang, own }) => lang === 'es' && (QUOTED.includes(words) || (own && ENGLISH.test(words))),
    );
    expect(unmarked, path).toEqual([]);
    for (const { words, lang } of texts) if (lang === 'en') met.add(words);
  }
  // The list above is no list of nothing.
  expect(QUOTED.filter((words) => met.has(words)).length).toBeGreaterThan(20);
});
