import type { DraftData } from '#contract/domains/token-requests.ts';
import { EMPTY_DRAFT } from '#contract/fields/token-form.ts';
import type { Reader } from '#server/db/client.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { findResemblances, resemblancesAsText } from '#server/records/resemblance.ts';
import { linksOf } from './showcase.service.ts';

/**
 * Finds the public tokens that the token of a request could be mistaken for, before its payment.
 *
 * @param accepted the applicant confirmed that they reviewed them.
 * @returns the accepted resemblances, for the audit log; undefined when there are none, and once it is paid.
 * @throws RESEMBLES
 */
export async function acceptedResemblance(
  db: Reader,
  request: { tokenData: Partial<DraftData>; paymentStatus: string },
  accepted: boolean,
): Promise<string | undefined> {
  if (request.paymentStatus === 'completed') return undefined;
  const data = { ...EMPTY_DRAFT, ...request.tokenData };
  const { tokenName, tokenSymbol, imageUrl } = data;
  const found = await findResemblances(
    db,
    { tokenName, tokenSymbol, imageUrl, ...linksOf(data) },
    { publicOnly: true },
  );
  if (found.length === 0) return undefined;
  if (!accepted) fail('RESEMBLES', { found });
  return resemblancesAsText(found);
}
