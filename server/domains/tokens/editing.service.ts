import { type SQL, sql } from 'drizzle-orm';
import { TOKEN_LINKS } from '#contract/links.ts';
import { cleanText } from '#server/lib/clean-text.ts';
import { columnOf } from '#server/lib/column-name.ts';

/** The links of a token, as the contract names them. */
export const LINK_COLUMNS = TOKEN_LINKS.map((link) => `${columnOf(link)} as "${link}"`).join(', ');

/** What people edit of projects on home and of NEXT projects alike. */
export const TOKEN_FIELDS = [
  'tokenName',
  'tokenSymbol',
  'tokenAddress',
  'contractAddress',
  'network',
  'description',
  'descriptionFull',
  'imageUrl',
  ...TOKEN_LINKS,
  'marketCap',
  'progressPercentage',
  'status',
  'isFeatured',
  'orderIndex',
  'adminNotes',
] as const;

/** Those fields and what every edited record has, as the contract names them. */
export const TOKEN_COLUMNS: SQL = sql`id, token_name as "tokenName", token_symbol as "tokenSymbol",
  token_address as "tokenAddress", contract_address as "contractAddress", network, description,
  description_full as "descriptionFull", image_url as "imageUrl", ${sql.raw(LINK_COLUMNS)}, market_cap as "marketCap",
  progress_percentage as "progressPercentage", status, is_featured as "isFeatured", order_index as "orderIndex",
  admin_notes as "adminNotes", version, created_at as "createdAt", updated_at as "updatedAt", deleted_at as "deletedAt"`;

/** Some fields of a record. */
export const pick = <Row extends object, const Name extends keyof Row>(row: Row, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>;

const TEXTS = {
  tokenName: 'line',
  tokenSymbol: 'line',
  tokenAddress: 'line',
  contractAddress: 'line',
  marketCap: 'line',
  description: 'text',
  descriptionFull: 'text',
  adminNotes: 'text',
} as const;

/**
 * A change with its texts free of control signs and tricks, and without what is undefined: that stays as it is.
 *
 * @param required texts that can't be null. What is empty after cleaning was nothing but tricks: null where that may be,
 *   else the table's check refuses it.
 */
export function cleanChange<Change extends object>(
  change: Change,
  required: readonly string[],
): { [Name in keyof Change]?: Exclude<Change[Name], undefined> } {
  const clean = Object.entries(change).map(([name, value]) => {
    const kind = TEXTS[name as keyof typeof TEXTS];
    if (!kind || typeof value !== 'string') return [name, value];
    return [name, cleanText(value, kind) || (required.includes(name) ? '' : null)];
  });
  return Object.fromEntries(clean.filter(([, value]) => value !== undefined)) as never;
}
