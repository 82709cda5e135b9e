// The form of a token request and what a payment needs of it. Browsers run this file too.
import { EMAIL_MAX } from './limits.ts';
import type { DraftData } from './token-requests.ts';
import { checkWallet } from './wallets.ts';

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

/** An http(s) address as typed, or '' for anything else. */
export function httpLink(value: string): string {
  if (!/^https?:\/\/[^\s]+$/i.test(value)) return '';
  const url = URL.parse(value);
  return url?.hostname && !url.username && !url.password ? value : '';
}

/** AMB-61: looks like a mailbox, without spaces. */
export const isEmail = (value: string): boolean =>
  value.length <= EMAIL_MAX && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value);

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
