import type { TokenFacts } from '#contract/admin/token-creation.ts';
import type { Db } from '#server/db/client.ts';
import { findPaymentObstacle } from '#server/domains/payments/proof/delivery-check.service.ts';
import type { CrashPoint } from '#server/lib/process/crash-point.ts';
import { type Attempt, type Chain, ChainError, type Plan, type Probe } from '#server/providers/chains/port.ts';
import type { PaymentProvider } from '#server/providers/payments/port.ts';
import { tokenIn } from './agreement.policy.ts';
import {
  complete,
  mark,
  markRefused,
  markSent,
  NotStored,
  resumeCapped,
  savePlan,
  saveSigned,
} from './creation-store.service.ts';
import {
  attemptsBefore,
  countToday,
  loadWork,
  nextDue,
  nextMoment,
  nonceAfter,
  type StoredAttempt,
  type Work,
} from './creation-work.service.ts';
import { isApproved, isAsOrdered } from './order-check.service.ts';
import { readTokenAgain } from './readings.service.ts';
import { continuesAudit, type SignerMemory } from './signer-memory.service.ts';
import { orderOf } from './snapshot.policy.ts';
import { CREATOR_TIMING, type CreatorTiming, nextStep, type Step } from './step.policy.ts';
import {
  dayOf,
  handleProblem,
  type LogMethod,
  nextDay,
  pause,
  type StepOutcome,
  stop,
  type TokenCreatorContext,
  timeAfter,
} from './step-outcome.service.ts';
import { reportWorker } from './worker-report.service.ts';

/** Maximum number of consecutive steps of one creation before the others are processed. */
const MAX_STEPS_PER_RUN = 12;

export interface TokenCreatorOptions {
  db: Db;
  chain: Chain;
  /** Limit of tokens that are signed per UTC day. */
  dailyCap: number;
  /** Provider that confirms real payments; without it no real payment counts. */
  provider: PaymentProvider | null;
  /** Public keys, base64, whose acceptances count. */
  adminKeys: readonly string[];
  /** State of the signer outside of the database. */
  memory: SignerMemory;
  now: () => Date;
  log: { info: LogMethod; warn: LogMethod; error: LogMethod };
  /** Ends the process at this point, in tests. */
  crash?: (point: CrashPoint) => void;
  timing?: CreatorTiming;
}

/** Creates tokens on one network with one key. The caller holds the lock of the signer worker. */
export interface TokenCreator {
  /**
   * Probes the chain and reports its state to the site; a standby reports only if no other process does. Never throws an error of the chain.
   */
  heartbeat(role?: 'at work' | 'standby'): Promise<Probe | null>;
  /**
   * Processes the creations that are due. @returns milliseconds until the next one is due; null when none is waiting. @throws
   * errors of the database.
   */
  work(stopped?: () => boolean): Promise<number | null>;
  /** Reads one token again whose last reading is due. @returns true when one was due. @throws errors of the database. */
  readAgain(chainId: string): Promise<boolean>;
}

export function createTokenCreator(options: TokenCreatorOptions): TokenCreator {
  const { db, chain, dailyCap, provider, adminKeys, memory, now, log } = options;
  const timing = options.timing ?? CREATOR_TIMING;
  const crash = options.crash ?? (() => {});
  const startedAt = now();
  /** When this process last sent each transaction to the chain. */
  const lastSentAt = new Map<string, number>();

  const context: TokenCreatorContext = {
    ...{ now, chain, log, db, dailyCap, startedAt, crash, timing, lastSentAt },
    ...{ provider, adminKeys, memory },
  };
  let isStarted = false;
  return {
    heartbeat: (role = 'at work') => heartbeat(context, role),
    async work(stopped) {
      // The daily cap is a setting of this process, and may be another one now: creations that wait for the next day are due again.
      if (!isStarted) await resumeCapped(db, chain.network, now());
      isStarted = true;
      return work(context, stopped);
    },
    readAgain: (chainId) => readTokenAgain(db, chain, chainId, now()),
  };
}

/** Problems that are reported to the site by name; any other one is reported as an unreachable node. */
const LOGGED_PROBLEMS = ['wrong_chain', 'unsupported', 'key_unavailable', 'wrong_key'] as const;

async function heartbeat(context: TokenCreatorContext, role: 'at work' | 'standby'): Promise<Probe | null> {
  const { chain, log, db, dailyCap, startedAt, now } = context;
  let probe: Probe | null = null;
  let state: Parameters<typeof reportWorker>[1]['state'] = 'unreachable';
  let detail: string | null = null;
  try {
    probe = await chain.probe();
    state = probe.enoughFor > 0 ? 'ready' : 'low_balance';
  } catch (error) {
    if (!(error instanceof ChainError)) log.error({ err: error, network: chain.network }, 'probe');
    const problem = error instanceof ChainError ? error.problem : 'unreachable';
    state = LOGGED_PROBLEMS.find((one) => one === problem) ?? 'unreachable';
    detail = error instanceof ChainError ? error.message : 'The node could not be queried';
  }
  await reportWorker(db, { network: chain.network, state, detail, dailyCap, startedAt, probe }, { role, now: now() });
  return probe;
}

async function work(context: TokenCreatorContext, stopped: () => boolean = () => false): Promise<number | null> {
  const { crash, db, chain, now, timing } = context;
  // Each creation is processed once per call, so that one without progress does not block the others.
  const processed: string[] = [];
  while (!stopped()) {
    crash('before_claim');
    const id = await nextDue(db, chain.network, now(), processed);
    if (!id) break;
    processed.push(id);
    for (let step = 0; step < MAX_STEPS_PER_RUN && !stopped(); step++)
      if ((await advance(context, id)) === 'later') break;
  }
  const at = await nextMoment(db, chain.network);
  if (!at) return null;
  const wait = at.getTime() - now().getTime();
  return wait > 0 ? wait : timing.poll / 4;
}

/** Executes one step of one creation. Its results are stored before the next step. */
async function advance(context: TokenCreatorContext, id: string): Promise<StepOutcome> {
  const { db, now, crash } = context;
  const work = await loadWork(db, id);
  if (!work || work.nextAttemptAt === null || work.nextAttemptAt > now()) return 'later';
  crash('after_claim');
  try {
    if (!(await isAsOrdered(db, work)))
      return stop(context, work, 'held', 'snapshot_changed', 'The stored order is not the one in the audit log');
    return await planStep(context, work);
  } catch (error) {
    return handleProblem(context, work, error);
  }
}

async function planStep(context: TokenCreatorContext, work: Work): Promise<StepOutcome> {
  const { db, now, chain, lastSentAt, timing } = context;
  const fresh = work.attempts.length === 0;
  if (fresh && work.state === 'held') return stop(context, work, 'held', work.problem ?? 'internal', work.detail ?? '');
  // A token that is being read exists already: after a restore of the database its attempts are missing here.
  if (fresh && work.stage !== 'checking' && work.stage !== 'reading' && work.problem === null) {
    const begun = await mark(db, work, { state: 'working', stage: 'checking', nextAttemptAt: now() }, now());
    return begun ? 'again' : 'later';
  }
  if (fresh) {
    const obstacle = await findSigningObstacle(context, work);
    if (obstacle) return obstacle;
  }
  const plan = fresh ? await planOf(context, work) : (work.plan as Plan | null);
  if (!plan) throw new Error('attempts without a plan');
  const observation = await chain.observe(plan, work.attempts);
  const step = nextStep(
    {
      observation,
      attempts: work.attempts.map((attempt) => ({
        ...attempt,
        signedAt: attempt.signedAt.getTime(),
        sentAt: lastSentAt.get(attempt.transaction) ?? attempt.sentAt?.getTime() ?? null,
      })),
      held: work.state === 'held',
      begunAt: work.begunAt.getTime(),
      startedAt: context.startedAt.getTime(),
      now: now().getTime(),
    },
    timing,
  );
  if (observation.kind === 'refused' && observation.transaction)
    await markRefused(db, work.id, observation.transaction);
  return executeStep(context, work, plan, step);
}

async function executeStep(context: TokenCreatorContext, work: Work, plan: Plan, step: Step): Promise<StepOutcome> {
  const { db, now } = context;
  switch (step.do) {
    case 'sign':
      return sign(context, work, plan, step.replaces);
    case 'send':
      return send(context, work, step.transaction);
    case 'read':
      return read(context, work, plan, step.transaction);
    case 'wait': {
      const { stage, ms } = step;
      const problem = work.state === 'held' ? work.problem : null;
      const detail = work.state === 'held' ? work.detail : null;
      const shown = work.state === 'held' ? 'stopped' : stage;
      await mark(db, work, { stage: shown, problem, detail, nextAttemptAt: timeAfter(context, ms) }, now());
      return 'later';
    }
    case 'hold':
      return stop(context, work, 'held', step.problem, step.detail);
    case 'fail':
      return stop(context, work, 'failed', step.problem, step.detail);
  }
}

/**
 * Checks the preconditions of signing: an unchanged audit log, the second admin's approval, the payment, the daily cap, the key's balance.
 * Null when all are met.
 */
async function findSigningObstacle(context: TokenCreatorContext, work: Work): Promise<StepOutcome | null> {
  const { db, provider, adminKeys, memory, chain, now, dailyCap } = context;
  if (!(await continuesAudit(db, memory)))
    return stop(context, work, 'held', 'audit_changed', 'The audit log is not the one that this signer has seen');
  if (work.attempts.length === 0 && !(await isApproved(db, work)))
    return stop(
      context,
      work,
      'held',
      'approval_missing',
      'Another admin than the one who ordered it has to approve it',
    );
  const { simulation } = work;
  const wanted = { requestId: work.requestId, token: tokenIn(work.snapshot) };
  const { obstacle, deposits } = await findPaymentObstacle(db, wanted, { simulation, provider, adminKeys });
  if (obstacle === 'payment_unknown')
    return pause(context, work, obstacle, 'The payment provider could not be queried');
  if (obstacle) return stop(context, work, 'held', obstacle, 'The payment does not count now');
  const spentElsewhere = deposits.find((id) => !memory.isFree(id, work.requestId));
  if (spentElsewhere)
    return stop(context, work, 'held', 'payment_elsewhere', `Deposit ${spentElsewhere} has paid for another token`);
  work.deposits = deposits;
  const probe = await chain.probe();
  if (probe.production === work.simulation)
    return stop(context, work, 'held', 'wrong_money', `Chain ${probe.chainId} and this payment do not belong together`);
  if (work.attempts.length === 0 && (await usedToday(context, work)) >= dailyCap)
    return pause(context, work, 'cap_reached', `${dailyCap} tokens a day`, nextDay(now()));
  if (probe.enoughFor < 1)
    return pause(context, work, 'low_balance', `${probe.deployer} holds ${probe.balance} ${probe.coin}`);
  return null;
}

/** Number of first signatures of this UTC day except this creation's own: the greater of the database's and the signer's count. */
async function usedToday({ db, memory, now }: TokenCreatorContext, { network, requestId }: Work): Promise<number> {
  return Math.max(await countToday(db, network, now()), memory.usedOn(network, dayOf(now()), requestId));
}

/** The plan is derived again until something is signed, because the owner's account may have changed its kind. */
async function planOf(context: TokenCreatorContext, work: Work): Promise<Plan> {
  const { chain, db, now } = context;
  const [plan, { chainId }] = [await chain.prepare(orderOf(work.snapshot)), await chain.probe()];
  await savePlan(db, work, plan, chainId, now());
  work.plan = plan;
  work.chainId = chainId;
  return plan;
}

async function sign(
  context: TokenCreatorContext,
  work: Work,
  plan: Plan,
  replaces: string | null,
): Promise<StepOutcome> {
  const { chain, db, timing, now, crash, dailyCap, log, memory } = context;
  if (work.attempts.length > 0) {
    const obstacle = await findSigningObstacle(context, work);
    if (obstacle) return obstacle;
  }
  const { chainId, deployer } = await chain.probe();
  if (work.chainId !== chainId) throw new ChainError('wrong_chain', 'The order was planned on another chain');
  const replaced = work.attempts.find(({ transaction }) => transaction === replaces);
  // A transaction that waits for an earlier nonce of the same key needs that one to land, not a higher fee.
  if (replaced && (await sendEarlier(context, replaced))) {
    await mark(db, work, { stage: 'sent', nextAttemptAt: timeAfter(context, timing.poll) }, now());
    return 'later';
  }
  const nonceFrom = await nonceAfter(db, chainId, deployer);
  crash('before_sign');
  const attempt = await chain.sign(plan, orderOf(work.snapshot), { nonceFrom, replaces: replaced });
  const page = chain.pageOf({ transaction: attempt.transaction });
  // Recorded outside of the database first, so that the daily count and the spent deposits survive any loss of database data.
  if (work.attempts.length === 0) {
    const { network, requestId, deposits } = work;
    const refused = memory.spend({ network, requestId, deposits, day: dayOf(now()), cap: dailyCap });
    if (refused) throw new NotStored(refused);
  }
  await saveSigned(db, work, { ...attempt, chainId, signer: deployer, page }, { dailyCap, now: now() });
  log.info({ creation: work.id, network: work.network, transaction: attempt.transaction }, 'signed');
  crash('after_sign_saved');
  return 'again';
}

/** Sends transactions with earlier nonces to the chain again; true when the chain accepted any of them. */
async function sendEarlier(context: TokenCreatorContext, attempt: StoredAttempt): Promise<boolean> {
  const { db, now, lastSentAt, timing, chain } = context;
  let sent = false;
  for (const earlier of await attemptsBefore(db, attempt)) {
    if (now().getTime() - (lastSentAt.get(earlier.transaction) ?? 0) < timing.replace) continue;
    lastSentAt.set(earlier.transaction, now().getTime());
    try {
      await chain.send(earlier);
      sent = true;
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
    }
  }
  return sent;
}

async function send(context: TokenCreatorContext, work: Work, transaction: string): Promise<StepOutcome> {
  const { lastSentAt, now, chain, crash, db } = context;
  const attempt = work.attempts.find((one) => one.transaction === transaction);
  if (!attempt) throw new Error('a transaction that was never signed');
  // Recorded before sending, because after an error it is unknown whether the transaction arrived.
  lastSentAt.set(transaction, now().getTime());
  await chain.send(attempt satisfies Attempt);
  crash('after_send_before_mark');
  await markSent(db, work.id, transaction, now());
  if (work.state === 'held') return 'again';
  const moved = await mark(db, work, { stage: 'sent', nextAttemptAt: now() }, now());
  return moved ? 'again' : 'later';
}

async function read(context: TokenCreatorContext, work: Work, plan: Plan, seen: string | null): Promise<StepOutcome> {
  const { db, now, chain, crash, log } = context;
  if (work.state !== 'held' && work.stage !== 'reading') {
    const moved = await mark(db, work, { stage: 'reading', nextAttemptAt: now() }, now());
    return moved ? 'again' : 'later';
  }
  const facts: TokenFacts = await chain.read(plan, orderOf(work.snapshot), seen);
  const transaction = facts.transaction ?? seen;
  if (!transaction)
    return pause(context, work, 'transaction_unknown', 'The node does not report which transaction created the token');
  crash('before_complete');
  await complete(
    db,
    work,
    {
      address: plan.address,
      addressPage: chain.pageOf({ address: plan.address }),
      transaction,
      transactionPage: chain.pageOf({ transaction }),
      facts,
    },
    now(),
  );
  log.info({ creation: work.id, network: work.network, address: plan.address, transaction }, 'created');
  crash('after_complete');
  return 'later';
}
