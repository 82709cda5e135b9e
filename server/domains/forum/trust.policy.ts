import type { ReviewWhy } from '#contract/domains/forum.ts';
import type { TrustLevel } from '#contract/domains/forum-review.ts';
import { TRUST } from '#contract/trust.ts';

/** Figures of a member that the rules evaluate. */
export interface TrustFacts {
  /** Whole days since the account was created. */
  days: number;
  /** Visible posts and comments; counted up to `TRUST.regularTexts`. */
  texts: number;
  /** Removals within the last `TRUST.removalDays` that are final: upheld, or not appealed in time. */
  removals: number;
}

/**
 * The level of a member by the rules. Texts and days raise it; only final removals lower it, so that members do not lose a level by
 * deleting their texts. When these removals are old enough or were reversed, the level is restored automatically.
 */
export function levelBy(now: TrustLevel, { days, texts, removals }: TrustFacts): TrustLevel {
  const earned =
    days >= TRUST.regularDays && texts >= TRUST.regularTexts
      ? 2
      : days >= TRUST.memberDays && texts >= TRUST.firstTexts
        ? 1
        : 0;
  const max = removals === 0 ? 2 : removals === 1 ? 1 : 0;
  return Math.min(Math.max(now, earned), max) as TrustLevel;
}

/**
 * The reason why a text has to wait for a moderator; null when it need not.
 *
 * @param shown number of the member's visible texts. @param links number of the member's texts with a link that were released.
 */
export function whyWaits(
  { level, shown, links }: { level: TrustLevel; shown: number; links: number },
  linked: boolean,
): ReviewWhy | null {
  if (level === 0 && shown < TRUST.firstTexts) return 'first';
  if (!linked || level === 2) return null;
  return level === 0 || links < TRUST.firstLinks ? 'link' : null;
}

/** Top-level domains that make a link without a scheme: those of most advertising. Any other needs a path. */
const ENDINGS =
  'com|net|org|info|biz|io|co|me|app|dev|xyz|site|online|shop|store|club|top|vip|fun|live|pro|link|click|finance|money|exchange|trade|fi|gg|ly|to|tk|ru|cn|es';
const LINK = new RegExp(
  String.raw`[a-z][a-z0-9+.-]*://\S|\bwww\.\S|(?<![\p{L}\p{N}@._-])(?:[\p{L}\p{N}-]+\.)+(?:(?:${ENDINGS})(?![\p{L}\p{N}_-])|\p{L}{2,}/\S)`,
  'iu',
);

/**
 * True when a text contains a link to follow or copy: a URL with a scheme, or a name that reads as one.
 *
 * @param own host of this site: links to it do not count.
 */
export function holdsLink(text: string, own: string): boolean {
  // Invisible characters, full-width letters and other full stops could disguise one.
  const plain = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replaceAll('。', '.');
  const host = own.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const foreign = plain.replace(
    new RegExp(String.raw`(?<![^\s(<"'])(?:https?://)?${host}(?=[/?#\s)>"',;!]|\.?$|\.\s)`, 'giu'),
    ' ',
  );
  return LINK.test(foreign);
}
