// Failures of Solana transactions. Nodes report `"BlockhashNotFound"`, `{"InstructionError":[2,{"Custom":0}]}`, or only
// a message.
import { z } from 'zod';

export interface Failure {
  /** The protocol's name of the failure; for an instruction the name of its error. Letters only. */
  name: string;
  /** Index of the failed instruction; null for the transaction as a whole. */
  at: number | null;
  /** Error code of the program. */
  code: number | null;
}

const rawShape = z.union([
  z.string().transform((name) => ({ name, at: null, code: null })),
  z
    .object({
      InstructionError: z.tuple([z.int(), z.union([z.string(), z.object({ Custom: z.int() }), z.looseObject({})])]),
    })
    .transform(({ InstructionError: [at, why] }) => {
      if (typeof why === 'string') return { name: why, at, code: null };
      return 'Custom' in why ? { name: 'Custom', at, code: Number(why.Custom) } : { name: nameIn(why), at, code: null };
    }),
  z.looseObject({}).transform((why) => ({ name: nameIn(why), at: null, code: null })),
]);

const nameIn = (why: object): string => Object.keys(why)[0] ?? '';

/** Wordings of messages for failures that the protocol has names for. */
const MESSAGES: [RegExp, string][] = [
  [/already been processed/i, 'AlreadyProcessed'],
  [/blockhash not found/i, 'BlockhashNotFound'],
  [/insufficient funds for fee/i, 'InsufficientFundsForFee'],
  [/insufficient funds for rent/i, 'InsufficientFundsForRent'],
  [/no record of a prior credit/i, 'AccountNotFound'],
];

/**
 * The failure in a node's response; null if there is none. Only names of the protocol are used: a node may quote its
 * own address, which can contain a password.
 *
 * @param error the protocol's error value.
 * @param message the message, for nodes that omit the value.
 */
export function readFailure(error: unknown, message = ''): Failure | null {
  if (error !== null && error !== undefined) {
    const failure = rawShape.safeParse(error).data ?? { name: '', at: null, code: null };
    return { ...failure, name: /^[A-Za-z]{1,60}$/.test(failure.name) ? failure.name : 'Unknown' };
  }
  const custom = /processing instruction (\d{1,3}): custom program error: (0x[0-9a-f]{1,8})/i.exec(message);
  if (custom) return { name: 'Custom', at: Number(custom[1]), code: Number(custom[2]) };
  const name = MESSAGES.find(([pattern]) => pattern.test(message))?.[1];
  return name ? { name, at: null, code: null } : null;
}

const INSUFFICIENT_FUNDS = new Set(['AccountNotFound', 'InsufficientFundsForFee', 'InsufficientFundsForRent']);
/** Failures with a temporary cause. */
const PASSING = new Set([
  'AccountInUse',
  'AlreadyProcessed',
  'BlockhashNotFound',
  'ClusterMaintenance',
  'CommitCancelled',
  'ProgramExecutionTemporarilyRestricted',
  'ResanitizationNeeded',
  'WouldExceedAccountDataBlockLimit',
  'WouldExceedAccountDataTotalLimit',
  'WouldExceedMaxAccountCostLimit',
  'WouldExceedMaxBlockCostLimit',
  'WouldExceedMaxVoteCostLimit',
]);
/** Maximum index of the instructions that can create the mint's account. */
const OPENING_LAST = 4;

/** True if the deployer's balance is too low. */
export const hasInsufficientFunds = ({ name, at, code }: Failure): boolean =>
  at === null ? INSUFFICIENT_FUNDS.has(name) : name === 'Custom' && code === 1;

/** True if another attempt can succeed: with more money, later, or after lamports were sent to the mint's address. */
export const canChange = (failure: Failure): boolean =>
  hasInsufficientFunds(failure) ||
  (failure.at === null
    ? PASSING.has(failure.name)
    : failure.name === 'Custom' && failure.code === 0 && failure.at <= OPENING_LAST);

/** Text of a failure for people who know the chain. */
export const failureText = ({ name, at, code }: Failure): string =>
  `${at === null ? '' : `instruction ${at}: `}${name}${code === null ? '' : ` ${code}`}`;
