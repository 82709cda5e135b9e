import type { z } from 'zod';
import { changeFailureText, codeOf } from '#app/lib/api/failure.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { ownershipTexts } from '#app/lib/messages/ownership.ts';
import type { errors } from '#contract/errors.ts';

type Reasoned = 'PROOF_NOT_FOUND' | 'PROOF_IMPOSSIBLE' | 'WALLET_REFUSED' | 'NOT_CREATOR';
/** A reason without a message does not compile. */
type ReasonTexts = { [Code in Reasoned]: Record<z.infer<(typeof errors)[Code]['data']>['why'], string> };

/** Messages for a refused proof, one for each reason. */
export function useProofFailure(): (error: unknown) => string {
  const text = useText(ownershipTexts);
  const { why, impossible, refused, notCreator } = text.ownership;
  const reasonTexts: Partial<Record<string, Partial<Record<string, string>>>> = {
    PROOF_NOT_FOUND: why,
    PROOF_IMPOSSIBLE: impossible,
    WALLET_REFUSED: refused,
    NOT_CREATOR: notCreator,
  } satisfies ReasonTexts;
  return (error) => {
    const reason = (error as { data?: { why?: unknown } }).data?.why;
    return (typeof reason === 'string' && reasonTexts[codeOf(error)]?.[reason]) || changeFailureText(error, text);
  };
}
