import { each } from '#contract/fields/each.ts';
import { TOKEN_LINKS } from '#contract/fields/links.ts';
import { eachProjectText, PUBLIC_TEXTS, TEAM_TEXTS, textField } from '#contract/fields/project-texts.ts';
import { columnOf } from '#server/lib/column-name.ts';
import { cleanText } from '#server/lib/text/clean-text.ts';

/** The links of a token, as the contract names them. */
export const LINK_COLUMNS = TOKEN_LINKS.map((link) => `${columnOf(link)} as "${link}"`).join(', ');

const DESCRIBED = [
  'tokenName',
  'tokenSymbol',
  'tokenAddress',
  'contractAddress',
  'network',
  ...PUBLIC_TEXTS,
  'imageUrl',
  ...TOKEN_LINKS,
  'marketCap',
  'progressPercentage',
] as const;

/** What people edit of projects on home and of NEXT projects alike. */
export const TOKEN_FIELDS = [...DESCRIBED, 'status', 'isFeatured', 'orderIndex', ...TEAM_TEXTS] as const;

/** What of them a version holds: texts, links and image, not where and whether the token is shown. */
export const TOKEN_CONTENT = [...DESCRIBED, ...TEAM_TEXTS] as const;

/** Some fields of a record. */
export const pick = <Row extends object, const Name extends keyof Row>(row: Row, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>;

/** How each text is cleaned. */
const TEXTS: Partial<Record<string, 'line' | 'text'>> = {
  ...each(['tokenName', 'tokenSymbol', 'tokenAddress', 'contractAddress', 'marketCap'], () => 'line' as const),
  ...eachProjectText((name) => (textField(name).rows === 1 ? 'line' : 'text')),
};

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
    const kind = TEXTS[name];
    if (!kind || typeof value !== 'string') return [name, value];
    return [name, cleanText(value, kind) || (required.includes(name) ? '' : null)];
  });
  return Object.fromEntries(clean.filter(([, value]) => value !== undefined)) as never;
}
