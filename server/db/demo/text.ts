import { eachLink, type TokenLink } from '#contract/fields/links.ts';
import type { ProjectText } from '#contract/fields/project-texts.ts';
import { randomOf } from './random.ts';

/** Paragraphs over several lines: an empty line separates them, any other line break is a space. */
export function prose(strings: TemplateStringsArray): string {
  return (strings[0] ?? '')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim().replace(/\s+/g, ' '))
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
}

/** 'Ñandú Veloz' -> 'nandu-veloz' */
export const slugOf = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** Texts of a demo project; omitted ones are empty. */
export const textsOf = ({ line, text }: { line: string; text: string }) => {
  const texts = {
    description: line,
    descriptionFull: text,
  } satisfies Partial<Record<ProjectText, string>>;
  return texts;
};

/** Share of tokens with a link, from 0 to 1, and the name of its page; a half by default. */
const PLACES: Partial<Record<TokenLink, [share: number, name: string]>> = {
  telegramUrl: [0.8, 'telegram'],
  twitterUrl: [0.75, 'x'],
  discordUrl: [0.45, 'discord'],
};

/** A website for all, the other links for most; on a domain that is reserved for examples. */
export function linksOf(slug: string) {
  const next = randomOf(`links ${slug}`);
  const site = `https://example.com/${slug}`;
  const maybe = (chance: number, name: string) => (next() < chance ? `${site}/${name}` : null);
  return eachLink((link) => {
    if (link === 'websiteUrl') return site;
    const [chance, name] = PLACES[link] ?? [0.5, link.replace(/Url$/, '')];
    return maybe(chance, name);
  });
}

const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const hoursFrom = (moment: Date, hours: number): Date => new Date(moment.getTime() + hours * HOUR);
export const daysBefore = (moment: Date, days: number): Date => new Date(moment.getTime() - days * DAY);
