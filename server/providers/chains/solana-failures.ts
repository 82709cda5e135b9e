// Why a transaction failed. Nodes say `"BlockhashNotFound"`, `{"InstructionError":[2,{"Custom":0}]}`, or only a message.
import { z } from 'zod';

export interface Failure {
  /** The chain's name for it; of an instruction's failure that one's. Letters only. */
  name: string;
  /** Which instruction failed; null when it was the transaction as a whole. */
  at: number | null;
  /** A program's own number. */
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

/** How messages call what the protocol has names for. */
const IN_WORDS: [RegExp, string][] = [
  [/already been processed/i, 'AlreadyProcessed'],
  [/blockhash not found/i, 'BlockhashNotFound'],
  [/insufficient funds for fee/i, 'InsufficientFundsForFee'],
  [/insufficient funds for rent/i, 'InsufficientFundsForRent'],
  [/no record of a prior credit/i, 'AccountNotFound'],
];

/**
 * What a node says of a failure; null when it says nothing of one. Nothing but the chain's own words is kept: a node may
 * quote its address, which may hold a password.
 *
 * @param error what stands for the failure in the protocol.
 * @param message for nodes that leave it out.
 */
export function readFailure(error: unknown, message = ''): Failure | null {
  if (error !== null && error !== undefined) {
    const failure = rawShape.safeParse(error).data ?? { name: '', at: null, code: null };
    return { ...failure, name: /^[A-Za-z]{1,60}$/.test(failure.name) ? failure.name : 'Unknown' };
  }
  const custom = /processing instruction (\d{1,3}): custom program error: (0x[0-9a-f]{1,8})/i.exec(message);
  if (custom) return { name: 'Custom', at: Number(custom[1]), code: Number(custom[2]) };
  const name = IN_WORDS.find(([words]) => words.test(message))?.[1];
  return name ? { name, at: null, code: null } : null;
}

const INSUFFICIENT_FUNDS = new Set(['AccountNotFound', 'InsufficientFundsForFee', 'InsufficientFundsForRent']);
/** Reasons that lie in the moment. */
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
/** Instructions that may open the mint's account. */
const OPENING_LAST = 4;

/** The deployer has too little. */
export const hasInsufficientFunds = ({ name, at, code }: Failure): boolean =>
  at === null ? INSUFFICIENT_FUNDS.has(name) : name === 'Custom' && code === 1;

/** Whether another attempt may succeed: with more money, later, or because the mint's address got dust meanwhile. */
export const canChange = (failure: Failure): boolean =>
  hasInsufficientFunds(failure) ||
  (failure.at === null
    ? PASSING.has(failure.name)
    : failure.name === 'Custom' && failure.code === 0 && failure.at <= OPENING_LAST);

/** For people who know the chain. */
export const failureText = ({ name, at, code }: Failure): string =>
  `${at === null ? '' : `instruction ${at}: `}${name}${code === null ? '' : ` ${code}`}`;
