import type { SubmissionInput } from '#contract/domains/submissions.ts';
import { checksummed } from '#contract/fields/evm-checksum.ts';
import { httpLink, TOKEN_LINKS } from '#contract/fields/links.ts';
import { NEEDED_FIELDS } from '#contract/fields/submission-fields.ts';
import { isTicker } from '#contract/fields/token-form.ts';
import { checkWallet } from '#contract/fields/wallets.ts';
import { cleanText, READABLE } from '#contract/text/clean-text.ts';

type Field = keyof SubmissionInput;
const LINKS: readonly Field[] = [...TOKEN_LINKS, 'imageUrl'];

/** True for a status that the applicant is notified of. */
export const isDecision = (status: string): status is 'approved' | 'rejected' =>
  status === 'approved' || status === 'rejected';

/** Sanitizes typed values for storage, and returns the invalid fields. */
export function checkSubmission(
  input: SubmissionInput,
  activeNetworks: readonly string[],
): { clean: SubmissionInput; invalid: Field[] } {
  const clean = Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, cleanText(value, name === 'description' ? 'text' : 'line')]),
  ) as SubmissionInput;
  const ours = clean.imageUrl.startsWith('/media/');
  const invalid: Field[] = [
    ...NEEDED_FIELDS.filter((name) => !READABLE.test(clean[name])),
    ...LINKS.filter((name) => clean[name] !== '' && !(name === 'imageUrl' && ours) && !httpLink(clean[name])),
  ];
  if (!invalid.includes('symbol') && !isTicker(clean.symbol)) invalid.push('symbol');
  // An address is only meaningful with its network.
  if (clean.network ? !activeNetworks.includes(clean.network) : clean.address !== '') invalid.push('network');
  else if (clean.address && checkWallet(clean.network, clean.address, checksummed) === 'invalid')
    invalid.push('address');
  return { clean, invalid };
}
