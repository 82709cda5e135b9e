import { describe, expect, it } from 'vitest';
import { afterProblem, CREATOR_TIMING, MAX_SIGNATURES, nextStep, type Signed, type Situation } from './step.policy.ts';

const NOW = 10_000_000;
const signed = (over: Partial<Signed> = {}): Signed => ({
  transaction: 'one',
  nonce: 1n,
  validUntil: null,
  signedAt: NOW - 1_000,
  sentAt: NOW - 1_000,
  ...over,
});
const step = (over: Partial<Situation>) =>
  nextStep({ observation: { kind: 'open' }, attempts: [], held: false, begunAt: NOW - 5_000, now: NOW, ...over });
const pending = (stuck = false) => ({ kind: 'pending', transaction: 'one', stuck }) as const;
const OVERDUE = { begunAt: NOW - CREATOR_TIMING.timeoutMs - 1 };

describe('the next step', () => {
  it('signs only an open creation that is not held', () => {
    expect(step({})).toEqual({ do: 'sign', replaces: null });
    expect(step({ attempts: [signed()] })).toEqual({ do: 'sign', replaces: null });
    expect(step({ held: true })).toMatchObject({ do: 'wait' });
    expect(step({ held: true, attempts: [signed()] })).toMatchObject({ do: 'wait' });
    for (const stuck of [false, true])
      expect(step({ held: true, observation: pending(stuck), attempts: [signed({ signedAt: 0 })] }).do).not.toBe(
        'sign',
      );
  });

  it('ignores the time before the first signature, and holds an overdue creation after it', () => {
    expect(step({ ...OVERDUE })).toEqual({ do: 'sign', replaces: null });
    expect(step({ ...OVERDUE, attempts: [signed()] })).toMatchObject({ do: 'hold', problem: 'stuck' });
  });

  it('ignores the time in which no signer ran', () => {
    const since = { ...OVERDUE, startedAt: NOW - 1_000 };
    expect(step({ ...since, attempts: [signed()] })).toEqual({ do: 'sign', replaces: null });
    expect(step({ ...since, observation: pending(), attempts: [signed()] })).toMatchObject({ do: 'wait' });
    const about = { retries: 0, held: false, now: NOW, ...since };
    expect(afterProblem('unreachable', 'x', about)).toMatchObject({ do: 'retry' });
    expect(afterProblem('unreachable', 'x', { ...about, startedAt: OVERDUE.begunAt })).toMatchObject({ do: 'hold' });
  });

  it('holds a creation after the maximum of signatures since its last retry', () => {
    const many = Array.from({ length: MAX_SIGNATURES }, (_, i) => signed({ transaction: String(i) }));
    expect(step({ attempts: many })).toMatchObject({ do: 'hold', problem: 'stuck' });
    expect(step({ attempts: many, begunAt: NOW - 10 })).toEqual({ do: 'sign', replaces: null });
  });

  it('sends a signed transaction that was never sent, and later the same bytes again', () => {
    const observation = pending();
    expect(step({ observation, attempts: [signed({ sentAt: null })] })).toEqual({ do: 'send', transaction: 'one' });
    expect(step({ observation, attempts: [signed()] })).toMatchObject({ do: 'wait', stage: 'sent' });
    const sentFor = (ms: number) => ({ sentAt: NOW - ms });
    expect(step({ observation, attempts: [signed(sentFor(CREATOR_TIMING.resend.unlimited))] }).do).toBe('send');
    const expiring = { validUntil: 5n, nonce: null };
    expect(
      step({ observation, attempts: [signed({ ...expiring, ...sentFor(CREATOR_TIMING.resend.expiring) })] }).do,
    ).toBe('send');
    // A held creation is polled as well.
    expect(step({ observation, held: true, attempts: [signed(sentFor(CREATOR_TIMING.heldPoll))] }).do).toBe('send');
  });

  it('replaces a stuck transaction at its own nonce after a delay, and never one without a nonce', () => {
    const old = { signedAt: NOW - CREATOR_TIMING.replace, sentAt: NOW };
    const begunAt = NOW - CREATOR_TIMING.replace;
    expect(step({ observation: pending(true), begunAt, attempts: [signed(old)] })).toEqual({
      do: 'sign',
      replaces: 'one',
    });
    expect(step({ observation: pending(true), begunAt, attempts: [signed()] }).do).toBe('wait');
    expect(step({ observation: pending(false), begunAt, attempts: [signed(old)] }).do).toBe('wait');
    expect(step({ observation: pending(true), begunAt, attempts: [signed({ ...old, nonce: null })] }).do).toBe('wait');
  });

  it('respects its limits to the millisecond and to the signature', () => {
    const atTimeout = { begunAt: NOW - CREATOR_TIMING.timeoutMs };
    // Not overdue yet.
    expect(step({ ...atTimeout, observation: pending(), attempts: [signed()] }).do).toBe('wait');
    expect(step({ ...atTimeout, attempts: [signed({ signedAt: 0 })] }).do).toBe('sign');
    // A transaction signed at the very moment of the resume counts.
    const signedAt = NOW - 5_000;
    const many = Array.from({ length: MAX_SIGNATURES }, (_, i) => signed({ transaction: String(i), signedAt }));
    expect(step({ attempts: many })).toEqual({
      do: 'hold',
      problem: 'stuck',
      detail: `${MAX_SIGNATURES} transactions were signed, none landed`,
    });
    expect(step({ attempts: many.slice(1) }).do).toBe('sign');
  });

  it('replaces no transaction after the maximum of signatures', () => {
    const old = { signedAt: NOW - CREATOR_TIMING.replace, sentAt: NOW };
    const attempts = (length: number) =>
      Array.from({ length }, (_, i) => signed({ ...old, transaction: i ? String(i) : 'one' }));
    const stuck = { observation: pending(true), begunAt: NOW - CREATOR_TIMING.replace };
    expect(step({ ...stuck, attempts: attempts(MAX_SIGNATURES - 1) }).do).toBe('sign');
    expect(step({ ...stuck, attempts: attempts(MAX_SIGNATURES) })).toMatchObject({ do: 'wait', stage: 'sent' });
  });

  it('handles the transaction that the chain knows, and only waits for one that is not among the attempts', () => {
    const attempts = [signed({ transaction: 'other', sentAt: null, signedAt: 0 }), signed()];
    expect(step({ observation: pending(), attempts })).toMatchObject({ do: 'wait', stage: 'sent' });
    const foreign = { observation: pending(true), attempts: [signed({ transaction: 'other', signedAt: 0 })] };
    expect(step(foreign)).toEqual({ do: 'wait', ms: CREATOR_TIMING.poll, stage: 'sent' });
    expect(step({ observation: pending(true) })).toEqual({ do: 'wait', ms: CREATOR_TIMING.poll, stage: 'sent' });
    // A transaction without expiry is resent rarely, one with expiry often.
    const sentAt = NOW - CREATOR_TIMING.resend.expiring;
    expect(step({ observation: pending(), attempts: [signed({ sentAt })] }).do).toBe('wait');
  });

  it('states what is stuck, and reports a held creation as stopped', () => {
    expect(step({ observation: { kind: 'created', transaction: 'one', settled: false }, ...OVERDUE })).toEqual({
      do: 'hold',
      problem: 'stuck',
      detail: 'The token is there, and not settled yet',
    });
    expect(step({ observation: pending(), ...OVERDUE, attempts: [signed()] })).toEqual({
      do: 'hold',
      problem: 'stuck',
      detail: 'Sent, and it does not land',
    });
    expect(step({ held: true })).toEqual({ do: 'wait', ms: CREATOR_TIMING.heldPoll, stage: 'stopped' });
  });

  it('reads a token once it is settled, holds an overdue one, and fails only a refused one', () => {
    const created = (settled: boolean) => ({ kind: 'created', transaction: 'one', settled }) as const;
    expect(step({ observation: created(false), attempts: [signed()] })).toMatchObject({
      do: 'wait',
      stage: 'confirming',
    });
    for (const held of [false, true])
      expect(step({ observation: created(true), held, attempts: [signed()] })).toEqual({
        do: 'read',
        transaction: 'one',
      });
    expect(step({ observation: created(true), ...OVERDUE })).toMatchObject({ do: 'read' });
    expect(step({ observation: pending(), ...OVERDUE, attempts: [signed()] })).toMatchObject({
      do: 'hold',
      problem: 'stuck',
    });
    expect(step({ observation: { kind: 'refused', transaction: 'one', reason: 'no' } })).toEqual({
      do: 'fail',
      problem: 'refused',
      detail: 'no',
    });
  });
});

describe('after a problem', () => {
  const afterIt = (problem: Parameters<typeof afterProblem>[0], over: object = {}) =>
    afterProblem(problem, 'why', { retries: 0, held: false, begunAt: NOW - 1_000, now: NOW, ...over });

  it('retries with increasing delays, then holds the creation', () => {
    expect([0, 1, 2, 30].map((retries) => afterIt('unreachable', { retries }))).toEqual(
      [2_000, 4_000, 8_000, CREATOR_TIMING.pause.last].map((ms) => ({
        do: 'retry',
        ms,
        problem: 'unreachable',
        detail: 'why',
      })),
    );
    for (const problem of ['unreachable', 'wrong_chain', 'wrong_seed', 'payment_unknown', 'internal'] as const)
      expect(afterIt(problem, OVERDUE), problem).toMatchObject({ do: 'hold', problem });
    expect(afterIt('unreachable', { ...OVERDUE, held: true })).toMatchObject({
      do: 'retry',
      ms: CREATOR_TIMING.heldPoll,
    });
  });

  it('respects its time limit to the millisecond, also for an unknown transaction', () => {
    expect(CREATOR_TIMING.timeoutMs).toBe(1_800_000);
    expect(CREATOR_TIMING.heldPoll).toBe(600_000);
    expect(afterIt('unreachable', { begunAt: NOW - CREATOR_TIMING.timeoutMs })).toMatchObject({ do: 'retry' });
    expect(afterIt('transaction_unknown')).toMatchObject({ do: 'retry', problem: 'transaction_unknown' });
    expect(afterIt('transaction_unknown', OVERDUE)).toMatchObject({ do: 'hold', problem: 'transaction_unknown' });
  });

  it('retries without a time limit for the balance and for the next day', () => {
    expect(afterIt('low_balance', OVERDUE)).toMatchObject({ do: 'retry' });
    expect(afterIt('cap_reached', { ...OVERDUE, resumeAt: NOW + 3_600_000 })).toMatchObject({
      do: 'retry',
      ms: 3_600_000,
    });
  });

  it.each(['owner_is_program', 'owner_is_token_account', 'name_invalid', 'metadata_invalid', 'mismatch'] as const)(
    'fails the creation at once: %s',
    (problem) => {
      expect(afterIt(problem)).toEqual({ do: 'fail', problem, detail: 'why' });
    },
  );
});
