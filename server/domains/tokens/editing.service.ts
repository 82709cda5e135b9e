import { each } from '#contract/fields/each.ts';
import { TOKEN_LINKS } from '#contract/fields/links.ts';
import { eachProjectText, PUBLIC_TEXTS, TEAM_TEXTS, textField } from '#contract/fields/project-texts.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import { columnOf } from '#server/lib/column-name.ts';

/** The links of a token, under the names of the contract. */
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

/** Editable fields of both projects on home and NEXT projects. */
export const TOKEN_FIELDS = [...DESCRIBED, 'status', 'isFeatured', 'orderIndex', ...TEAM_TEXTS] as const;

/** Those of them that a version contains: texts, links and image, but not the position and visibility of the token. */
export const TOKEN_CONTENT = [...DESCRIBED, ...TEAM_TEXTS] as const;

/** Selects fields of a record. */
export const pick = <Row extends object, const Name extends keyof Row>(row: Row, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>;

/** How each text is sanitized. */
const TEXTS: Partial<Record<string, 'line' | 'text'>> = {
  ...each(['tokenName', 'tokenSymbol', 'tokenAddress', 'contractAddress', 'marketCap'], () => 'line' as const),
  ...eachProjectText((name) => (textField(name).rows === 1 ? 'line' : 'text')),
};

/**
 * A change with texts free of control and deceptive characters, and without undefined fields, which are not changed.
 *
 * @param required texts that can't be null. A text that is empty after sanitizing becomes null if it may be null, else the check of
 *   the table refuses it.
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
