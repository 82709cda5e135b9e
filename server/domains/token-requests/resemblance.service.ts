import type { DraftData } from '#contract/domains/token-requests.ts';
import { EMPTY_DRAFT } from '#contract/fields/token-form.ts';
import type { Reader } from '#server/db/client.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { findResemblances, resemblancesAsText } from '#server/records/likeness.ts';
import { linksOf } from './showcase.service.ts';

/**
 * Before money is asked for: what public token somebody could take the one of a request for.
 *
 * @param accepted the applicant looked at it.
 * @returns what they accepted, for the audit log; undefined where there is nothing, and once it is paid.
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
