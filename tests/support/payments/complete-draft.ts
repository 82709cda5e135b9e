import type { DraftData } from '#contract/domains/token-requests.ts';

/** A form with everything that a payment needs; for tests. */
export const COMPLETE: Partial<DraftData> = {
  tokenName: 'Ajolote',
  tokenSymbol: 'AJO',
  description: 'Un token de lago.',
  ownerWalletAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  selectedNetwork: 'ethereum',
  petitionerEmail: 'ana@florka.test',
  petitionerTelegram: '@ana',
};
