import { ORPCError } from '@orpc/server';
import { coinName } from '#contract/text/coins.ts';
import { FILES_FOR_PEOPLE, type FileColumn, YES_NO } from '#contract/text/file-headings.ts';
import { REFUND_STATE_NAMES } from '#contract/text/value-names.ts';
import type { Reader } from '#server/db/client.ts';
import { blockchainNetworks } from '#server/db/tables/networks.ts';

/** US dollars, written with two decimals. */
interface Dollars {
  cents: number;
}
export const isDollars = (value: unknown): value is Dollars =>
  typeof value === 'object' && value !== null && 'cents' in value;

/** A file for people: its headings by column, and how the value of a column is written. */
interface FileForPeople {
  headings: Record<string, string>;
  value(column: string, value: unknown): unknown;
}

/** The part before the first space, and the rest. */
const splitAtSpace = (text: string): [string, string] => {
  const [first = '', ...rest] = text.split(' ');
  return [first, rest.join(' ')];
};

/** Several of 'first rest' in one cell, separated by semicolons as in every list. */
const eachOf = (list: string, write: (first: string, rest: string) => string): string =>
  list
    .split(', ')
    .filter((one) => one !== '')
    .map((one) => write(...splitAtSpace(one)))
    .join('; ');

/** Names of all networks by key, also of those that are not active any more or in the trash: records still have them. */
async function readNetworkNames(db: Reader): Promise<Map<string, string>> {
  const rows = await db.select({ key: blockchainNetworks.key, name: blockchainNetworks.name }).from(blockchainNetworks);
  return new Map(rows.map(({ key, name }) => [key, name]));
}

/**
 * How a list is written for people: headings in words, names instead of codes, amounts with decimals.
 *
 * @param locale 'es' or 'en'; undefined for the file of programs.
 * @returns null for the file of programs.
 * @throws BAD_REQUEST for a list without such a file, and for another language.
 */
export async function fileForPeople(db: Reader, list: string, locale: unknown): Promise<FileForPeople | null> {
  if (locale === undefined) return null;
  const columns = Object.hasOwn(FILES_FOR_PEOPLE, list) ? FILES_FOR_PEOPLE[list] : undefined;
  if (!columns || (locale !== 'es' && locale !== 'en')) throw new ORPCError('BAD_REQUEST');
  const hasNetworks = Object.values(columns).some(({ of }) => of === 'network');
  const networks = hasNetworks ? await readNetworkNames(db) : new Map<string, string>();
  return {
    headings: Object.fromEntries(Object.entries(columns).map(([key, heading]) => [key, heading[locale]])),
    value: (column, value) => inWords(columns[column], column, value, locale, networks),
  };
}

function inWords(
  column: FileColumn | undefined,
  key: string,
  value: unknown,
  locale: 'es' | 'en',
  networks: ReadonlyMap<string, string>,
): unknown {
  if (value === null || value === undefined || value === '') return value;
  if (key.endsWith('Cents')) return { cents: Number(value) } satisfies Dollars;
  if (typeof value === 'boolean') return YES_NO[locale][`${value}`];
  if (typeof value !== 'string') return value;
  // A code of a later version, or of a deleted network, has no name and is written itself.
  if (column?.names) return column.names[locale][value] ?? value;
  const refundState = (state: string) =>
    REFUND_STATE_NAMES[locale][state as keyof typeof REFUND_STATE_NAMES.es] ?? state;
  switch (column?.of) {
    case 'network':
      return networks.get(value) ?? value;
    case 'coin':
      return coinName(value);
    case 'amounts':
      return eachOf(value, (amount, coin) => `${amount} ${coinName(coin)}`);
    case 'refunds':
      return eachOf(value, (number, state) => `${number}: ${refundState(state)}`);
    default:
      return value;
  }
}
