import { describe, expect, it } from 'vitest';
import { ApiFailure } from './failure.ts';
import { IDEMPOTENT_RETRY } from './lost-answer.ts';
import { retryAfterLostAnswer, verifyAfterLostAnswer } from './retry-lost-answer.ts';

const lost = new TypeError('Failed to fetch');
const refused = new ApiFailure('ALREADY_VOTED', 409, null);
/** A call that fails with these errors in order, then succeeds. */
function callOf(...failures: Error[]) {
  let calls = 0;
  const call = async () => {
    const failure = failures[calls++];
    if (failure) throw failure;
    return 'answer';
  };
  return { call, calls: () => calls };
}

describe('the retry after a lost answer', () => {
  it('is made once, and returns the second answer', async () => {
    const { call, calls } = callOf(lost);
    expect(await retryAfterLostAnswer(call)).toBe('answer');
    expect(calls()).toBe(2);
  });

  it('is not made a second time', async () => {
    const { call, calls } = callOf(lost, lost);
    await expect(retryAfterLostAnswer(call)).rejects.toBe(lost);
    expect(calls()).toBe(2);
  });

  it('reports the call as done when the refusal of the retry proves it', async () => {
    const proven = (refusal: unknown) => (refusal === refused ? 'done before' : undefined);
    expect(await retryAfterLostAnswer(callOf(lost, refused).call, proven)).toBe('done before');
    await expect(retryAfterLostAnswer(callOf(lost, new ApiFailure('BUSY', 503, null)).call, proven)).rejects.toThrow(
      'BUSY',
    );
  });

  it('is replaced, where the call is not idempotent, by a read that verifies whether it arrived', async () => {
    const arrived = callOf(lost);
    expect(await verifyAfterLostAnswer(arrived.call, async () => 'found')).toBe('found');
    expect(arrived.calls()).toBe(1);
    await expect(verifyAfterLostAnswer(callOf(lost).call, async () => undefined)).rejects.toBe(lost);
    await expect(verifyAfterLostAnswer(callOf(lost).call, () => Promise.reject(lost))).rejects.toBe(lost);
    await expect(verifyAfterLostAnswer(callOf(refused).call, async () => 'found')).rejects.toBe(refused);
  });

  it('is not made when the server refused the call', async () => {
    const { call, calls } = callOf(refused);
    await expect(retryAfterLostAnswer(call, () => 'done before')).rejects.toBe(refused);
    expect(calls()).toBe(1);
    expect(IDEMPOTENT_RETRY.retry(0, refused)).toBe(false);
    expect(IDEMPOTENT_RETRY.retry(0, lost)).toBe(true);
    expect(IDEMPOTENT_RETRY.retry(1, lost)).toBe(false);
  });
});
