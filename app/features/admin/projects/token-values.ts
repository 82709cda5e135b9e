import type { AdminNextProject } from '#contract/admin/next-projects.ts';
import type { AdminProject } from '#contract/admin/projects.ts';
import { PLACE_MAX, PROJECT_NAME_MIN, REQUEST_MAX } from '#contract/limits.ts';
import { eachLink } from '#contract/links.ts';
import { isTicker } from '#contract/token-form.ts';
import { imageFault } from '../kit/ImageField.tsx';
import { networkOf } from '../market/NetworkField.tsx';

// What the forms of projects on home and in NEXT have in common.

/** What such a form begins with. */
export const tokenValues = (project: AdminProject | AdminNextProject | null) => ({
  tokenName: project?.tokenName ?? '',
  tokenSymbol: project?.tokenSymbol ?? '',
  tokenAddress: project?.tokenAddress ?? '',
  contractAddress: project?.contractAddress ?? '',
  network: (project?.network ?? '') as string,
  description: project?.description ?? '',
  descriptionFull: project?.descriptionFull ?? '',
  imageUrl: project?.imageUrl ?? '',
  ...eachLink((link) => project?.[link] ?? ''),
  marketCap: project?.marketCap ?? '',
  progressPercentage: String(project?.progressPercentage ?? 0),
  isFeatured: project?.isFeatured ?? false,
  adminNotes: project?.adminNotes ?? '',
});
type Values = ReturnType<typeof tokenValues>;

/** A whole number as typed. */
export const integer = (typed: unknown, otherwise: number): number => {
  const value = Number.parseInt(String(typed), 10);
  return Number.isFinite(value) ? value : otherwise;
};
export const orNull = (typed: string): string | null => typed.trim() || null;

/** What of it the API takes otherwise than it is typed. */
export const tokenInput = (values: Values) => ({
  tokenSymbol: values.tokenSymbol.toUpperCase(),
  contractAddress: orNull(values.contractAddress),
  network: networkOf(values.network),
  description: orNull(values.description),
  descriptionFull: orNull(values.descriptionFull),
  imageUrl: orNull(values.imageUrl),
  ...eachLink((link) => orNull(values[link])),
  adminNotes: orNull(values.adminNotes),
  progressPercentage: integer(values.progressPercentage, 0),
});

interface FaultWords {
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

/** The same checks as the server's, one sentence each. */
export const tokenRules = (words: FaultWords, image: { invalid: string }) => ({
  tokenName: (name: string) =>
    !name.trim() ? words.nameNeeded : name.trim().length < PROJECT_NAME_MIN && words.nameShort,
  tokenSymbol: (symbol: string) =>
    !symbol.trim()
      ? words.symbolNeeded
      : symbol.trim().length > REQUEST_MAX.symbol
        ? words.symbolLong
        : !isTicker(symbol.trim()) && words.symbolForm,
  imageUrl: (url: string) => imageFault(url, image),
  ...eachLink(() => (url: string) => linkFault(url, words)),
  progressPercentage: (typed: unknown) => {
    const progress = integer(typed, 0);
    return progress < 0 ? words.progressLow : progress > 100 && words.progressHigh;
  },
});
export const orderFault = (typed: unknown, words: FaultWords) => {
  const order = integer(typed, 0);
  return (order < 0 || order > PLACE_MAX) && words.order;
};
const linkFault = (link: string, words: FaultWords) =>
  link.trim() !== '' && !/^https?:\/\/[^\s.]+\.[^\s]+$/i.test(link.trim()) && words.link;

/** Words for a field that only the server found wrong. */
export const tokenInvalid = (words: FaultWords, image: { invalid: string }) => ({
  tokenName: words.nameShort,
  tokenSymbol: words.symbolShort,
  progressPercentage: words.progress,
  orderIndex: words.order,
  imageUrl: image.invalid,
  ...eachLink(() => words.link),
});
