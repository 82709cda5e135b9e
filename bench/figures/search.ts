import type { BenchEnvironment } from '../lib/environment.ts';
import type { Row } from '../lib/report.ts';
import { WORDS } from '../lib/seed.ts';
import { sideBySide } from '../lib/side-by-side.ts';

/** The search terms, the same on both sites. */
const ASKED: [string, string][] = [
  ['a word of every 2nd post and comment', WORDS.common],
  ['a word of 20 posts', WORDS.rare],
  ['a word of every token', 'project'],
  ['a ticker', 'p77'],
  ['a ticker with one letter wrong, of many', 'projcet'],
  ['a name of many people', 'member'],
  ['two words', `project+${WORDS.common}`],
  ['a word that nobody wrote', 'nadie'],
  ['the address of a contract', '0xabcdef0123456789abcdef0123456789abcdef01'],
];

/** (s) The page of the search with 100,000 posts and 10,000 tokens against one of 1,000 and 100. */
export function searches(environment: BenchEnvironment): Promise<Row[]> {
  // Each request comes from an address of its own, so that the rate limit of searches does not affect the measurement.
  const env = { TRUST_PROXY: '1' };
  return environment.withSite(
    'bigSearch',
    (big) =>
      environment.withSite(
        'smallSearch',
        (small) =>
          sideBySide(
            big.port,
            small.port,
            ASKED.map(([what, words]) => ({
              what: `s) GET /search, ${what}`,
              here: `/search?q=${words}`,
              there: `/search?q=${words}`,
            })),
            1.2,
          ),
        env,
      ),
    env,
  );
}
