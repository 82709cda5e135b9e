// The public links of a token. Browsers run this file too.
import { each } from './each.ts';

/**
 * The links, in the order of the forms. Columns, contracts, forms, checks, the audit log and the CSV exports follow this list;
 * the labels are in app/lib/messages/links.ts, the icons in app/features/tokens/TokenLinks.tsx.
 *
 * - `key`: the field of every record and form; its column has the same name in snake case.
 * - `wizardPlace`: position in step 1 of the wizard; links without one are not part of that step.
 * - `contact`: the field of the wizard's step 3 for the same account; it can contain a name or a link.
 */
const LINKS = [
  { key: 'websiteUrl', wizardPlace: 2, contact: 'website' },
  { key: 'telegramUrl', wizardPlace: 1, contact: 'telegram' },
  { key: 'twitterUrl', wizardPlace: 3, contact: 'twitter' },
  { key: 'discordUrl', contact: 'discord' },
] as const;

type Link = (typeof LINKS)[number];
type InWizard = Extract<Link, { wizardPlace: number }>;
/** Key of a public link of a token, in any of the lists. */
export type TokenLink = Link['key'];
type WizardLink = InWizard['key'];
type ContactField = Extract<Link, { contact: string }>['contact'];

const inWizard: readonly InWizard[] = LINKS.filter((link): link is InWizard => 'wizardPlace' in link).sort(
  (one, other) => one.wizardPlace - other.wizardPlace,
);
const contacts: Partial<Record<string, ContactField>> = Object.fromEntries(
  LINKS.flatMap((link) => ('contact' in link ? [[link.key, link.contact]] : [])),
);

export const TOKEN_LINKS: readonly TokenLink[] = LINKS.map(({ key }) => key);
/** The same value or function for each link. */
export const eachLink = <Value>(make: (link: TokenLink) => Value): Record<TokenLink, Value> => each(TOKEN_LINKS, make);

/** Links in step 1 of the wizard, in its order. */
export const WIZARD_LINKS: readonly WizardLink[] = inWizard.map(({ key }) => key);
export const eachWizardLink = <Value>(make: (link: WizardLink) => Value): Record<WizardLink, Value> =>
  each(WIZARD_LINKS, make);
export const isWizardLink = (link: TokenLink): link is WizardLink => (WIZARD_LINKS as readonly string[]).includes(link);
/** The field of the wizard's step 3 for the account of a link. */
export const contactOf = (link: TokenLink): ContactField | undefined => contacts[link];

/** An http(s) address as typed, or '' for anything else. The rule of every link, in browsers and on the server. */
export function httpLink(value: string): string {
  if (!/^https?:\/\/[^\s]+$/i.test(value)) return '';
  const url = URL.parse(value);
  return url?.hostname && !url.username && !url.password ? value : '';
}
