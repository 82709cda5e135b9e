import type { AdminNextProject } from '#contract/admin/next-projects.ts';
import type { AdminProject } from '#contract/admin/projects.ts';
import { eachLink } from '#contract/fields/links.ts';
import { eachProjectText } from '#contract/fields/project-texts.ts';
import { LINK_READERS } from '../kit/forms/LinkFields.tsx';

// Shared parts of the forms of projects on home and in NEXT.

/** Initial values of such a form. */
export const tokenValues = (project: AdminProject | AdminNextProject | null) => ({
  tokenName: project?.tokenName ?? '',
  tokenSymbol: project?.tokenSymbol ?? '',
  tokenAddress: project?.tokenAddress ?? '',
  contractAddress: project?.contractAddress ?? '',
  network: (project?.network ?? '') as string,
  ...eachProjectText((name) => project?.[name] ?? ''),
  imageUrl: project?.imageUrl ?? '',
  ...eachLink((link) => project?.[link] ?? ''),
  marketCap: project?.marketCap ?? '',
  progressPercentage: String(project?.progressPercentage ?? 0),
  isFeatured: project?.isFeatured ?? false,
});

/** Parses an integer; invalid text counts as 0. */
export const integer = (typed: string): number => {
  const value = Number.parseInt(typed, 10);
  return Number.isFinite(value) ? value : 0;
};
/** Parses a price; invalid text counts as 0. */
export const decimal = (typed: string): number => {
  const value = Number.parseFloat(typed.replace(',', '.'));
  return Number.isFinite(value) ? value : 0;
};
export const TOKEN_READERS = { progressPercentage: integer, orderIndex: integer, ...LINK_READERS };

interface ErrorMessages {
  nameNeeded: string;
  nameShort: string;
  symbolNeeded: string;
  symbolShort: string;
  symbolLong: string;
  symbolForm: string;
  progressLow: string;
  progressHigh: string;
  progress: string;
  order: string;
  link: string;
}

/** Messages for invalid fields. */
export const tokenFieldMessages = (messages: ErrorMessages, image: { invalid: string }) => ({
  tokenName: { missing: messages.nameNeeded, invalid: messages.nameShort },
  tokenSymbol: {
    missing: messages.symbolNeeded,
    long: messages.symbolLong,
    invalid: messages.symbolForm,
    refused: messages.symbolShort,
  },
  progressPercentage: { low: messages.progressLow, high: messages.progressHigh, invalid: messages.progress },
  orderIndex: messages.order,
  imageUrl: image.invalid,
  ...eachLink(() => messages.link),
});
