import { asLink } from '#app/lib/forms/as-link.ts';
import type { DraftData } from '#contract/domains/token-requests.ts';
import { DRAFT_LINKS, neededFor } from '#contract/fields/draft-fields.ts';
import { contactOf, httpLink, WIZARD_LINKS } from '#contract/fields/links.ts';
import { isEmail, isTicker } from '#contract/fields/token-form.ts';
import { type Checksum, checkWallet } from '#contract/fields/wallets.ts';
import type { FieldName } from './stored-draft.ts';

/** What keeps somebody on step 1, or the server from a payment. */
export type FieldError = 'token' | 'symbol' | 'creator' | 'email' | 'network' | 'wallet';

const empty = (data: DraftData, names: readonly (keyof DraftData)[]): FieldName[] =>
  names.filter((name) => String(data[name]).trim() === '');

/** The fields in which a fault shows; none once it is mended. */
export function invalidFields(
  fieldError: FieldError,
  data: DraftData,
  networksOnSale: readonly string[],
  checksum: Checksum | null,
): FieldName[] {
  if (fieldError === 'token') return empty(data, neededFor('token'));
  if (fieldError === 'symbol') return isTicker(data.tokenSymbol.trim()) ? [] : ['tokenSymbol'];
  if (fieldError === 'creator') return empty(data, neededFor('creator'));
  if (fieldError === 'email') return isEmail(data.petitionerEmail.trim()) ? [] : ['petitionerEmail'];
  if (fieldError === 'network') return networksOnSale.includes(data.selectedNetwork) ? [] : ['selectedNetwork'];
  const wallet = checkWallet(data.selectedNetwork, data.ownerWalletAddress.trim(), checksum);
  return wallet === 'invalid' ? ['ownerWalletAddress'] : [];
}

/** The first of the checks of step 1 that fails; null when it may be left. */
export const firstError = (data: DraftData): FieldError | null =>
  (['token', 'symbol', 'creator', 'email'] as const).find(
    (fieldError) => invalidFields(fieldError, data, [], null).length > 0,
  ) ?? null;

/** What step 1 knows already, where step 3 is still empty. */
export function prefilled(data: DraftData): Partial<DraftData> {
  return Object.fromEntries(
    WIZARD_LINKS.flatMap((link) => {
      const contact = contactOf(link);
      return contact && !data[contact] && data[link] ? [[contact, data[link]]] : [];
    }),
  );
}

/** The links that were typed without their https://. */
export const withProtocol = (data: DraftData): Partial<DraftData> =>
  Object.fromEntries(
    DRAFT_LINKS.map((name) => [name, asLink(data[name])]).filter(([name, link]) => data[name as 'website'] !== link),
  );

export const isBadLink = (typed: string): boolean => typed.trim() !== '' && httpLink(typed.trim()) === '';

/** What the private link carries behind its #. */
export function readLink(hash: string): { id: string; secret: string; step: number | null } | null {
  const [, id, secret, step] =
    /^#([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{20,100})(?:\.([1-5]))?$/i.exec(hash) ?? [];
  return id && secret ? { id, secret, step: step ? Number(step) : null } : null;
}
