import { eachLink, type TokenLink } from '#contract/fields/links.ts';
import type { Locale } from '../format/format.ts';

/** What one link is called in different places. */
interface LinkNames {
  /** In the back office and its audit log. */
  admin: string;
  /** In the publish form. */
  publish: string;
  /** In the wizard, where the name of the account is another field. */
  wizard: string;
  /** On the token's page. */
  page: string;
}

/** One name for all places but those that say otherwise. */
const es = (name: string, others: Partial<LinkNames> = {}): LinkNames => ({
  admin: name,
  publish: name,
  wizard: `Enlace de ${name}`,
  page: name,
  ...others,
});
const en = (name: string, others: Partial<LinkNames> = {}): LinkNames => ({
  ...es(name),
  wizard: `${name} link`,
  ...others,
});

const names: Record<Locale, Record<TokenLink, LinkNames>> = {
  es: {
    websiteUrl: es('Sitio web', { wizard: 'Enlace del sitio web', page: 'Official Website' }),
    telegramUrl: es('Telegram'),
    twitterUrl: es('Twitter / X', { publish: 'Twitter/X', wizard: 'Enlace de Twitter/X' }),
    discordUrl: es('Discord'),
  },
  en: {
    websiteUrl: en('Website', { page: 'Official Website' }),
    telegramUrl: en('Telegram'),
    twitterUrl: en('Twitter / X', { publish: 'Twitter/X', wizard: 'Twitter/X link' }),
    discordUrl: en('Discord'),
  },
};

/** What the links are called in one place; for the catalogue of that place. */
export const linkNames = (locale: Locale, place: keyof LinkNames): Record<TokenLink, string> =>
  eachLink((link) => names[locale][link][place]);
