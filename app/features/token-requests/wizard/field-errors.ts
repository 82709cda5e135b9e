import { asLink } from '#app/lib/forms/as-link.ts';
import type { DraftData } from '#contract/domains/token-requests.ts';
import { DRAFT_LINKS, requiredFor } from '#contract/fields/draft-fields.ts';
import { contactOf, httpLink, WIZARD_LINKS } from '#contract/fields/links.ts';
import { isEmail, isTicker, WIZARD_STEPS } from '#contract/fields/token-form.ts';
import { type Checksum, checkWallet } from '#contract/fields/wallets.ts';
import { READABLE } from '#contract/text/clean-text.ts';
import type { FieldName } from './stored-draft.ts';

/** Errors that block step 1, or the server's creation of a payment. */
export type FieldError = 'token' | 'symbol' | 'creator' | 'email' | 'network' | 'wallet';

const empty = (data: DraftData, names: readonly (keyof DraftData)[]): FieldName[] =>
  names.filter((name) => !READABLE.test(String(data[name])));

/** Fields to mark invalid for this error; empty once it is corrected. */
export function invalidFields(
  fieldError: FieldError,
  data: DraftData,
  networksOnSale: readonly string[],
  checksum: Checksum | null,
): FieldName[] {
  if (fieldError === 'token') return empty(data, requiredFor('token'));
  if (fieldError === 'symbol') return isTicker(data.tokenSymbol.trim()) ? [] : ['tokenSymbol'];
  if (fieldError === 'creator') return empty(data, requiredFor('creator'));
  if (fieldError === 'email') return isEmail(data.petitionerEmail.trim()) ? [] : ['petitionerEmail'];
  if (fieldError === 'network') return networksOnSale.includes(data.selectedNetwork) ? [] : ['selectedNetwork'];
  const wallet = checkWallet(data.selectedNetwork, data.ownerWalletAddress.trim(), checksum);
  return wallet === 'invalid' ? ['ownerWalletAddress'] : [];
}

/** The first failing check of step 1; null when the step is complete. */
export const firstError = (data: DraftData): FieldError | null =>
  (['token', 'symbol', 'creator', 'email'] as const).find(
    (fieldError) => invalidFields(fieldError, data, [], null).length > 0,
  ) ?? null;

/** Values of step 1 for empty fields of step 3. */
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

/** The fragment of a private link: the draft's id, its secret, and optionally a step. */
const LINK = new RegExp(
  `^#([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\\.([\\w-]{20,100})(?:\\.([1-${WIZARD_STEPS}]))?$`,
  'i',
);

/** Draft id and secret in the fragment of a private link. */
export function readLink(hash: string): { id: string; secret: string; step: number | null } | null {
  const [, id, secret, step] = LINK.exec(hash) ?? [];
  return id && secret ? { id, secret, step: step ? Number(step) : null } : null;
}
