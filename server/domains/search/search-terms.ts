import { type SQL, sql } from 'drizzle-orm';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Reader } from '#server/db/client.ts';
import { normalize } from './search-terms.sql.ts';
import { splitIntoTerms } from './typo.policy.ts';

/** Maximum number of terms of a search; further ones are ignored. */
const TERMS_MAX = 6;
/** An address of a contract: of an EVM network, or of Solana. */
const ADDRESS = /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/;

export interface SearchTerms {
  /** As typed, sanitized. */
  typed: string;
  /** Lower case without accents, except ñ: normalized by the database, like all compared columns. */
  normalized: string;
  /** The words of the normalized text, one at least. */
  terms: string[];
  /** Set when the text has the format of a contract's address. */
  address: string | null;
}

/** Parses a search; null when it is empty after sanitizing. */
export async function readTerms(db: Reader, q: string): Promise<SearchTerms | null> {
  const typed = cleanText(q, 'line');
  if (!typed) return null;
  const [found] = await normalize(db, { typed });
  const normalized = found?.normalized ?? '';
  const terms = splitIntoTerms(normalized).slice(0, TERMS_MAX);
  return terms.length === 0 ? null : { typed, normalized, terms, address: ADDRESS.test(typed) ? typed : null };
}

/** Escapes the special characters of LIKE. */
const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&');

export const startsWith = (text: string): string => `${literal(text)}%`;

/** Condition that a normalized column contains every term, in any position. Uses trigram indexes. */
export const containsTerms = (column: SQL, terms: readonly string[]): SQL =>
  sql.join(
    terms.map((term) => sql`${column} like ${`%${literal(term)}%`}`),
    sql` and `,
  );
