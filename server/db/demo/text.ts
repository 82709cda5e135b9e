import { randomOf } from './random.ts';

/** Paragraphs written over several lines: an empty line separates them, any other line break is a space. */
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

/** A website for all, the rest for most; on a domain that is reserved for examples. */
export function linksOf(slug: string) {
  const next = randomOf(`links ${slug}`);
  const site = `https://example.com/${slug}`;
  const maybe = (chance: number, name: string) => (next() < chance ? `${site}/${name}` : null);
  return {
    websiteUrl: site,
    telegramUrl: maybe(0.8, 'telegram'),
    twitterUrl: maybe(0.75, 'x'),
    discordUrl: maybe(0.45, 'discord'),
  };
}

const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const hoursFrom = (moment: Date, hours: number): Date => new Date(moment.getTime() + hours * HOUR);
export const daysBefore = (moment: Date, days: number): Date => new Date(moment.getTime() - days * DAY);
