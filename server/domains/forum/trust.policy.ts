import type { ReviewWhy } from '#contract/domains/forum.ts';
import type { TrustLevel } from '#contract/domains/forum-review.ts';
import { TRUST } from '#contract/trust.ts';

/** What the rules count of a member. */
export interface TrustFacts {
  /** Whole days since the account was made. */
  days: number;
  /** Posts and comments that are shown; counted up to `TRUST.regularTexts`. */
  texts: number;
  /** Removals of the last `TRUST.removalDays` that stand: upheld, or not appealed in time. */
  removals: number;
}

/**
 * The level that a member has by the rules. Texts and days raise it; only removals that stand lower it, so nobody loses a level by
 * deleting what they wrote. When these are old enough or were reversed, the level comes back by itself.
 */
export function levelBy(now: TrustLevel, { days, texts, removals }: TrustFacts): TrustLevel {
  const earned =
    days >= TRUST.regularDays && texts >= TRUST.regularTexts
      ? 2
      : days >= TRUST.memberDays && texts >= TRUST.firstTexts
        ? 1
        : 0;
  const most = removals === 0 ? 2 : removals === 1 ? 1 : 0;
  return Math.min(Math.max(now, earned), most) as TrustLevel;
}

/**
 * Why a text has to wait for a moderator; null: it does not.
 *
 * @param shown texts of the member that are shown. @param links texts with a link of theirs that were released.
 */
export function whyWaits(
  { level, shown, links }: { level: TrustLevel; shown: number; links: number },
  linked: boolean,
): ReviewWhy | null {
  if (level === 0 && shown < TRUST.firstTexts) return 'first';
  if (!linked || level === 2) return null;
  return level === 0 || links < TRUST.firstLinks ? 'link' : null;
}

/** Endings that make a link of what has no scheme: those of most advertising. Anything else needs a path behind it. */
const ENDINGS =
  'com|net|org|info|biz|io|co|me|app|dev|xyz|site|online|shop|store|club|top|vip|fun|live|pro|link|click|finance|money|exchange|trade|fi|gg|ly|to|tk|ru|cn|es';
const LINK = new RegExp(
  String.raw`[a-z][a-z0-9+.-]*://\S|\bwww\.\S|(?<![\p{L}\p{N}@._-])(?:[\p{L}\p{N}-]+\.)+(?:(?:${ENDINGS})(?![\p{L}\p{N}_-])|\p{L}{2,}/\S)`,
  'iu',
);

/**
 * Whether somebody could follow, or copy, a link from a text: an address with a scheme, or a name that reads as one.
 *
 * @param own host of this site: links to it are none.
 */
export function holdsLink(text: string, own: string): boolean {
  // Signs that nobody sees and wide letters and full stops would hide one.
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
