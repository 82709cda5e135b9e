import { EMAIL_MAX } from '#contract/limits.ts';
import { type DraftData, type DraftHint, draftData } from '#contract/token-requests.ts';
import { cleanText } from '#server/lib/clean-text.ts';
import { checkWallet } from './wallet.policy.ts';

export const EMPTY_DRAFT: DraftData = {
  uploadToken: '',
  tokenName: '',
  tokenSymbol: '',
  description: '',
  imageUrl: '',
  creatorFeeShare: false,
  mercadoBlockExplorer: '',
  hostNetwork: '',
  smartContractWritten: null,
  initialSaleLength: '',
  distribucionTokens: '',
  productorToken: '',
  porcentajeMarketing: '',
  porcentajePartnersInversores: '',
  telegramUrl: '',
  websiteUrl: '',
  twitterUrl: '',
  twitter: '',
  telegram: '',
  linkedin: '',
  discord: '',
  website: '',
  supportChannel: '',
  socialDescription: '',
  ownerWalletAddress: '',
  petitionerEmail: '',
  petitionerTelegram: '',
  selectedNetwork: '',
  basicPromo: false,
  advancedPromo: false,
  maxVisibility: false,
  selectedPlan: 'entry',
};

const LINKS = ['mercadoBlockExplorer', 'telegramUrl', 'websiteUrl', 'twitterUrl', 'website', 'imageUrl'] as const;
const TEXTS = ['description', 'socialDescription'] as const;

/** An http(s) address as typed, or '' for anything else. */
export function httpLink(value: string): string {
  if (!/^https?:\/\/[^\s]+$/i.test(value)) return '';
  const url = URL.parse(value);
  return url?.hostname && !url.username && !url.password ? value : '';
}

/** AMB-61: looks like a mailbox, without spaces. */
export const isEmail = (value: string): boolean =>
  value.length <= EMAIL_MAX && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value);

/**
 * What was typed, made harmless to store. Links that are none of http(s) become empty, but for images of ours, whose owner
 * is checked elsewhere.
 */
export function cleanDraft(data: Partial<DraftData>): { data: Partial<DraftData>; dropped: boolean } {
  let dropped = false;
  const clean = Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      if (typeof value !== 'string' || key === 'selectedPlan') return [key, value];
      const kind = (TEXTS as readonly string[]).includes(key) ? 'text' : 'line';
      // One Unicode form can be longer than what was typed.
      const most = draftData.shape[key as 'tokenName'].maxLength ?? 0;
      let text = cleanText(value, kind).slice(0, most).toWellFormed().trim();
      if ((LINKS as readonly string[]).includes(key) && text !== '') {
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

/** What would stop the payment later, or is worth a look. Empty fields are no news while people still write. */
export function hintsOf(data: DraftData, activeNetworks: string[]): DraftHint[] {
  const hints: DraftHint[] = [];
  if (data.ownerWalletAddress && data.selectedNetwork) {
    const check = checkWallet(data.selectedNetwork, data.ownerWalletAddress);
    if (check === 'invalid') hints.push('walletInvalid');
    if (check === 'unchecksummed') hints.push('walletWithoutChecksum');
    if (check === 'unchecked') hints.push('walletUnchecked');
  }
  if (data.selectedNetwork && !activeNetworks.includes(data.selectedNetwork)) hints.push('networkInactive');
  if (data.petitionerEmail && !isEmail(data.petitionerEmail)) hints.push('emailInvalid');
  return hints;
}

/** The first thing that is missing for a payment, in the order of the wizard's messages A, B, C; null when nothing is. */
export function missingFor(
  data: DraftData,
  activeNetworks: string[],
): 'token' | 'creator' | 'email' | 'network' | 'wallet' | null {
  if (!data.tokenName || !data.tokenSymbol || !data.description) return 'token';
  if (!data.ownerWalletAddress || !data.selectedNetwork || !data.petitionerEmail || !data.petitionerTelegram)
    return 'creator';
  if (!isEmail(data.petitionerEmail)) return 'email';
  if (!activeNetworks.includes(data.selectedNetwork)) return 'network';
  if (checkWallet(data.selectedNetwork, data.ownerWalletAddress) === 'invalid') return 'wallet';
  return null;
}
