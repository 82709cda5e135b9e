import { type SQL, sql } from 'drizzle-orm';
import type { Reader } from '#server/db/client.ts';
import { cleanText } from '#server/lib/text/clean-text.ts';
import { normalize } from './search-terms.sql.ts';
import { splitIntoTerms } from './typo.policy.ts';

/** Words that one search looks at; what is typed after them is ignored. */
const WORDS_MAX = 6;
/** An address of a contract: of an EVM network, or of Solana. */
const ADDRESS = /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/;

export interface SearchTerms {
  /** As typed, cleaned. */
  typed: string;
  /** Lower case without accents, ñ kept: made by the database, as all that it is compared with. */
  normalized: string;
  /** The words of that, one at least. */
  words: string[];
  /** Set when it has the form of a contract's address. */
  address: string | null;
}

/** What is looked for; null when nothing is left of what was typed. */
export async function readTerms(db: Reader, q: string): Promise<SearchTerms | null> {
  const typed = cleanText(q, 'line');
  if (!typed) return null;
  const [found] = await normalize(db, { typed });
  const normalized = found?.normalized ?? '';
  const terms = splitIntoTerms(normalized).slice(0, WORDS_MAX);
  return terms.length === 0 ? null : { typed, normalized, words: terms, address: ADDRESS.test(typed) ? typed : null };
}

/** Signs that mean something to LIKE are meant as themselves. */
const literal = (words: string) => words.replace(/[\\%_]/g, '\\$&');

export const startsWith = (words: string): string => `${literal(words)}%`;

/** That a normalized column holds every word, in any place. Trigram indexes answer it. */
export const containsTerms = (column: SQL, words: readonly string[]): SQL =>
  sql.join(
    words.map((word) => sql`${column} like ${`%${literal(word)}%`}`),
    sql` and `,
  );
