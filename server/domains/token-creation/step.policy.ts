import type { CreationProblem, CreationStage } from '#contract/admin/token-creation.ts';
import type { ChainProblem, Observation } from '#server/providers/chains/port.ts';

/** Intervals and time limits of the token creator. Milliseconds. */
export interface CreatorTiming {
  /** Poll interval while something is under way. */
  poll: number;
  /** Interval between sending the same bytes: for transactions that expire soon, and for those that do not expire. */
  resend: { expiring: number; unlimited: number };
  /** Age after which a signed transaction may be replaced. */
  replace: number;
  /** Backoff after a problem: the first delay doubles up to the last. */
  pause: { first: number; last: number };
  /** Time without completion after which the creation is held for a person. */
  timeoutMs: number;
  /** Poll interval for a held creation whose transaction may still land. */
  heldPoll: number;
}

export const CREATOR_TIMING: CreatorTiming = {
  poll: 2_000,
  resend: { expiring: 2_000, unlimited: 20_000 },
  replace: 45_000,
  pause: { first: 2_000, last: 120_000 },
  timeoutMs: 30 * 60_000,
  heldPoll: 10 * 60_000,
};

/** Signatures of a creation since `begunAt`, after which a person has to resume it. */
export const MAX_SIGNATURES = 8;

/** Facts about a signed transaction. Times in milliseconds. */
export interface Signed {
  transaction: string;
  nonce: bigint | null;
  validUntil: bigint | null;
  signedAt: number;
  /** When this process last sent it to the chain, or any process first did; null when no sending is recorded. */
  sentAt: number | null;
}

export interface Situation {
  observation: Observation;
  /** Oldest first. */
  attempts: readonly Signed[];
  /** Held for a person: nothing may be signed. */
  held: boolean;
  /** The latest of: its order, its first signature, its last resumption by a person, its last wait for funds or for the daily cap. */
  begunAt: number;
  /** When this signer started: time without a running signer does not count. */
  startedAt?: number;
  now: number;
}

export type Step =
  /** Sign, because no earlier signed transaction can land any more, or as a replacement of a stuck one. */
  | { do: 'sign'; replaces: string | null }
  | { do: 'send'; transaction: string }
  /** The token is on the chain: read it back. */
  | { do: 'read'; transaction: string | null }
  | { do: 'wait'; ms: number; stage: CreationStage }
  | { do: 'hold'; problem: CreationProblem; detail: string }
  | { do: 'fail'; problem: CreationProblem; detail: string };

/** Next step of a creation, from the state of the chain, the signed transactions and the time. */
export function nextStep(
  { observation, attempts, held, begunAt, startedAt = begunAt, now }: Situation,
  timing: CreatorTiming = CREATOR_TIMING,
): Step {
  const rest = held ? timing.heldPoll : timing.poll;
  const overdue = !held && now - Math.max(begunAt, startedAt) > timing.timeoutMs;
  const signedSince = attempts.filter(({ signedAt }) => signedAt >= begunAt).length;
  switch (observation.kind) {
    case 'created':
      if (observation.settled) return { do: 'read', transaction: observation.transaction };
      if (overdue) return { do: 'hold', problem: 'stuck', detail: 'The token is there, and not settled yet' };
      return { do: 'wait', ms: rest, stage: 'confirming' };
    case 'pending': {
      const attempt = attempts.find(({ transaction }) => transaction === observation.transaction);
      if (attempt && attempt.sentAt === null) return { do: 'send', transaction: attempt.transaction };
      const newest = attempts.at(-1);
      const mayReplace = !held && attempt?.nonce != null && signedSince < MAX_SIGNATURES && !overdue;
      if (observation.stuck && mayReplace && newest && now - newest.signedAt >= timing.replace)
        return { do: 'sign', replaces: attempt.transaction };
      const resendAfter = attempt?.validUntil === null ? timing.resend.unlimited : timing.resend.expiring;
      if (attempt?.sentAt != null && now - attempt.sentAt >= (held ? timing.heldPoll / 2 : resendAfter))
        return { do: 'send', transaction: attempt.transaction };
      if (overdue) return { do: 'hold', problem: 'stuck', detail: 'Sent, and it does not land' };
      return { do: 'wait', ms: rest, stage: 'sent' };
    }
    case 'open':
      if (held) return { do: 'wait', ms: rest, stage: 'stopped' };
      if (attempts.length > 0 && (overdue || signedSince >= MAX_SIGNATURES))
        return { do: 'hold', problem: 'stuck', detail: `${attempts.length} transactions were signed, none landed` };
      return { do: 'sign', replaces: null };
    case 'refused':
      return { do: 'fail', problem: 'refused', detail: observation.reason };
  }
}

/** Problems after which a creation resumes automatically once an operator has solved them. */
const TRANSIENT_PROBLEMS = [
  'unreachable',
  'wrong_chain',
  'wrong_seed',
  'unsupported',
  'key_unavailable',
  'wrong_key',
  'low_balance',
] as const;
const isPassing = (problem: ChainProblem): problem is (typeof TRANSIENT_PROBLEMS)[number] =>
  TRANSIENT_PROBLEMS.some((one) => one === problem);

/** Problems without a time limit: the creation waits for their end without a person. */
const RETRIED_FOREVER: readonly CreationProblem[] = ['low_balance', 'cap_reached'];

/** Consequence of a chain problem for a creation. */
export function afterProblem(
  problem: ChainProblem | 'cap_reached' | 'payment_unknown' | 'internal' | 'transaction_unknown',
  detail: string,
  about: { retries: number; held: boolean; begunAt: number; startedAt?: number; now: number; resumeAt?: number },
  timing: CreatorTiming = CREATOR_TIMING,
): { do: 'retry'; ms: number; problem: CreationProblem; detail: string } | Extract<Step, { do: 'hold' | 'fail' }> {
  const own = problem === 'cap_reached' || problem === 'payment_unknown' || problem === 'internal';
  if (!own && problem !== 'transaction_unknown' && !isPassing(problem)) return { do: 'fail', problem, detail };
  if (about.held) return { do: 'retry', ms: timing.heldPoll, problem, detail };
  const since = Math.max(about.begunAt, about.startedAt ?? 0);
  if (about.now - since > timing.timeoutMs && !RETRIED_FOREVER.includes(problem))
    return { do: 'hold', problem, detail };
  const pause = Math.min(timing.pause.first * 2 ** Math.min(about.retries, 20), timing.pause.last);
  const ms = about.resumeAt === undefined ? pause : Math.max(about.resumeAt - about.now, pause);
  return { do: 'retry', ms, problem, detail };
}
