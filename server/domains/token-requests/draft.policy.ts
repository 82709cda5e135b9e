import { type DraftData, type DraftHint, draftData } from '#contract/domains/token-requests.ts';
import { DRAFT_LINKS } from '#contract/fields/draft-fields.ts';
import { checksummed } from '#contract/fields/evm-checksum.ts';
import { httpLink } from '#contract/fields/links.ts';
import { isEmail } from '#contract/fields/token-form.ts';
import { checkWallet } from '#contract/fields/wallets.ts';
import { cleanText } from '#contract/text/clean-text.ts';

const LINKS: readonly string[] = [...DRAFT_LINKS, 'imageUrl'];
const TEXTS = ['description', 'socialDescription'] as const;

/**
 * Sanitizes typed values for storage. Links that are not http(s) become empty, except URLs of our images, whose owner is checked
 * elsewhere.
 */
export function cleanDraft(data: Partial<DraftData>): { data: Partial<DraftData>; dropped: boolean } {
  let dropped = false;
  const clean = Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      if (typeof value !== 'string' || key === 'selectedPlan') return [key, value];
      const kind = (TEXTS as readonly string[]).includes(key) ? 'text' : 'line';
      // Unicode normalization can make a text longer than what was typed.
      const max = draftData.shape[key as 'tokenName'].maxLength ?? 0;
      let text = cleanText(value, kind).slice(0, max).toWellFormed().trim();
      if (LINKS.includes(key) && text !== '') {
        const ours = key === 'imageUrl' && text.startsWith('/media/');
        const link = ours ? text : httpLink(text);
        if (!link) dropped = true;
        text = link;
      }
      return [key, text];
    }),
  );
  return { data: clean as Partial<DraftData>, dropped };
}

/**
 * Problems that would prevent the payment later, or should be reviewed. Empty fields are not reported while the form is being
 * filled in.
 */
export function hintsOf(data: DraftData, networksOnSale: readonly string[]): DraftHint[] {
  const hints: DraftHint[] = [];
  if (data.ownerWalletAddress && data.selectedNetwork) {
    const check = checkWallet(data.selectedNetwork, data.ownerWalletAddress, checksummed);
    if (check === 'invalid') hints.push('walletInvalid');
    if (check === 'unchecksummed') hints.push('walletWithoutChecksum');
    if (check === 'unchecked') hints.push('walletUnchecked');
  }
  if (data.selectedNetwork && !networksOnSale.includes(data.selectedNetwork)) hints.push('networkInactive');
  if (data.petitionerEmail && !isEmail(data.petitionerEmail)) hints.push('emailInvalid');
  return hints;
}
