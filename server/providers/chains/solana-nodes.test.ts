// Solana nodes that fail or return false data.
import { describe, expect, test } from 'vitest';
import { net } from '#tests/fixtures/solana-net.ts';
import { surfnet } from '#tests/support/chains/chains.ts';
import type { Fault } from '#tests/support/chains/rpc-proxy.ts';
import { NOTHING, openBehindProxy, problemOf, someOrder } from '#tests/support/chains/solana-rig.ts';
import type { Attempt, ChainError } from './port.ts';
import { SOLANA_MAINNET, type SolanaOptions } from './solana.ts';

describe.skipIf(!surfnet.available)(`Tokens on Solana${surfnet.note}`, () => {
  describe('nodes that fail or return false data', () => {
    /** An order whose only attempt was never sent, so that false data can make it look expired. */
    async function underWay(more: Partial<SolanaOptions> = {}) {
      const { proxy, chain } = await openBehindProxy(net, more);
      const order = await someOrder();
      const plan = await chain.prepare(order);
      const attempt = await chain.sign(plan, order, NOTHING);
      return { proxy, chain, order, plan, attempt };
    }
    const ranOut: Fault = { kind: 'change', to: (epoch: object) => ({ ...epoch, blockHeight: 10_000 }) };
    const dead: Fault = { kind: 'change', to: (answer: object) => ({ ...answer, value: false }) };

    test('an attempt counts as expired only if height, statuses, account and blockhash agree', async () => {
      const { proxy, chain, plan, attempt } = await underWay();
      proxy.fault('getEpochInfo', ranOut);
      // Only the height is false: the blockhash is still valid.
      expect(await problemOf(chain.observe(plan, [attempt]))).toBe('unreachable');
      proxy.fault('isBlockhashValid', dead);
      expect(await chain.observe(plan, [attempt])).toEqual({ kind: 'open' });
      const order = proxy.calls.slice(-7).map(({ method }) => method);
      expect(order).toEqual([
        'getGenesisHash',
        'getEpochInfo',
        'getSignatureStatuses',
        'getAccountInfo',
        'isBlockhashValid',
        'getEpochInfo',
        'getGenesisHash',
      ]);
      expect(proxy.calls.at(-6)?.params[0]).toEqual({ commitment: 'finalized' });
      expect(proxy.calls.at(-5)?.params[1]).toEqual({ searchTransactionHistory: true });
    });

    test('an attempt counts as expired 33 blocks after its last valid block height', async () => {
      const { proxy, chain, plan, attempt } = await underWay();
      const height = (blockHeight: number): Fault => ({
        kind: 'change',
        to: (epoch: object) => ({ ...epoch, blockHeight }),
      });
      proxy.fault('isBlockhashValid', dead);
      const until = Number(attempt.validUntil);
      for (const [at, kind] of [
        [until, 'pending'],
        [until + 32, 'pending'],
        [until + 33, 'open'],
      ] as const) {
        proxy.fault('getEpochInfo', height(at));
        expect((await chain.observe(plan, [attempt])).kind, String(at)).toBe(kind);
      }
      // A status request contains at most 256 signatures.
      expect((await chain.observe(plan, Array<Attempt>(300).fill(attempt))).kind).toBe('open');
      expect(proxy.calls.findLast(({ method }) => method === 'getSignatureStatuses')?.params[0]).toHaveLength(256);
      // One attempt that can still be included is enough.
      const endless = { ...attempt, validUntil: null };
      expect((await chain.observe(plan, [endless, attempt])).kind).toBe('pending');
      expect((await chain.observe(plan, [{ ...attempt, validUntil: BigInt(until) + 1n }, attempt])).kind).toBe(
        'pending',
      );
    });

    test('a height that decreases within one observation or between two is not used', async () => {
      const { proxy, chain, plan, attempt } = await underWay();
      proxy.fault('isBlockhashValid', dead);
      const lower: Fault = { kind: 'change', to: (epoch: object) => ({ ...epoch, blockHeight: 9_000 }) };
      let calls = 0;
      const undo = proxy.fault('getEpochInfo', () => (calls++ === 0 ? ranOut : lower));
      expect(await problemOf(chain.observe(plan, [attempt]))).toBe('unreachable');
      undo();
      const stop = proxy.fault('getEpochInfo', ranOut);
      expect(await chain.observe(plan, [attempt])).toEqual({ kind: 'open' });
      stop();
      proxy.fault('getEpochInfo', lower);
      expect(await problemOf(chain.observe(plan, [attempt]))).toBe('unreachable');
      // From the lower height on it increases again.
      expect(await chain.observe(plan, [attempt])).toEqual({ kind: 'open' });
    });

    test('responses of a node behind the height that it returned are not used', async () => {
      const { proxy, chain, plan, attempt } = await underWay();
      proxy.fault('getEpochInfo', ranOut);
      proxy.fault('isBlockhashValid', dead);
      const behind: Fault = { kind: 'change', to: (answer: object) => ({ ...answer, context: { slot: 1 } }) };
      for (const method of ['getAccountInfo', 'getSignatureStatuses']) {
        const undo = proxy.fault(method, behind);
        expect(await problemOf(chain.observe(plan, [attempt])), method).toBe('unreachable');
        undo();
      }
      expect(await chain.observe(plan, [attempt])).toEqual({ kind: 'open' });
    });

    test('another cluster that responds during an observation is detected', async () => {
      const { proxy, chain, plan, attempt } = await underWay();
      proxy.fault('getEpochInfo', ranOut);
      proxy.fault('isBlockhashValid', dead);
      let calls = 0;
      proxy.fault('getGenesisHash', () => (calls++ === 0 ? undefined : { kind: 'result', value: SOLANA_MAINNET }));
      expect(await problemOf(chain.observe(plan, [attempt]))).toBe('wrong_chain');
    });

    test('a status without its token is not used, and statuses of failures are distinguished', async () => {
      const { proxy, chain, plan, attempt } = await underWay();
      const status = (over: object): Fault => ({
        kind: 'change',
        to: (answer: { value: object[] }) => ({
          ...answer,
          value: answer.value.map(() => ({ slot: 1, err: null, confirmationStatus: 'finalized', ...over })),
        }),
      });
      const look = async (fault: Fault, attempts = [attempt]) => {
        const undo = proxy.fault('getSignatureStatuses', fault);
        const sight = await chain.observe(plan, attempts).catch((error: ChainError) => ({ kind: error.problem }));
        undo();
        return sight;
      };
      expect(await look(status({}))).toEqual({ kind: 'unreachable' });
      expect((await look(status({ confirmationStatus: 'processed' }))).kind).toBe('pending');
      expect((await look(status({ confirmationStatus: null }))).kind).toBe('pending');
      // It was included after the account was read.
      expect((await look(status({ slot: 1_000_000 }))).kind).toBe('pending');

      const poor = { err: { InstructionError: [6, { Custom: 1 }] } };
      expect((await look(status({ ...poor, confirmationStatus: 'processed' }))).kind).toBe('pending');
      expect(await look(status(poor))).toEqual({ kind: 'open' });
      expect(await look(status({ err: { InstructionError: [2, { Custom: 0 }] } }))).toEqual({ kind: 'open' });
      expect(await look(status({ err: { InsufficientFundsForRent: { account_index: 0 } } }))).toEqual({ kind: 'open' });
      expect(await look(status(poor), [attempt, attempt, attempt])).toMatchObject({ kind: 'refused' });
      expect(await look(status({ err: { InstructionError: [5, 'InvalidInstructionData'] } }))).toEqual({
        kind: 'refused',
        transaction: attempt.transaction,
        reason: 'instruction 5: InvalidInstructionData',
      });
      expect(await look({ kind: 'change', to: (answer: object) => ({ ...answer, value: [] }) })).toEqual({
        kind: 'unreachable',
      });
    });

    test('after every invalid response the state is unknown, and nothing is signed', async () => {
      const { proxy, chain, order, plan, attempt } = await underWay({ timeoutMs: 2_000 });
      proxy.fault('getEpochInfo', ranOut);
      proxy.fault('isBlockhashValid', dead);
      const json = { 'content-type': 'application/json' };
      const answers: Record<string, Fault> = {
        'a page of HTML': { kind: 'http', status: 502, body: '<html>Bad gateway</html>' },
        'a page that says all is well': { kind: 'http', status: 200, body: '<html>Welcome</html>' },
        'too many requests': { kind: 'http', status: 429, body: '{"jsonrpc":"2.0","id":1,"result":null}' },
        'somewhere else': { kind: 'http', status: 307, headers: { location: net.url } },
        nothing: { kind: 'http', status: 200 },
        'half an answer': { kind: 'http', status: 200, headers: json, body: '{"jsonrpc":"2.0","id":1,"resu' },
        'an answer to another question': { kind: 'http', status: 200, body: '{"jsonrpc":"2.0","id":0,"result":null}' },
        'an endless answer': { kind: 'http', status: 200, body: ' '.repeat(1_200_000) },
        'another shape': { kind: 'result', value: { context: { slot: -1 }, value: [[[]]] } },
        null: { kind: 'result', value: null },
        'a refusal': { kind: 'error', code: -32005, message: 'Node is behind by 42 slots' },
        'a missing method': { kind: 'error', code: -32601, message: 'Method not found' },
        'a broken connection': { kind: 'cut' },
        silence: { kind: 'hold' },
      };
      const methods = ['getGenesisHash', 'getEpochInfo', 'getSignatureStatuses', 'getAccountInfo', 'isBlockhashValid'];
      for (const [name, fault] of Object.entries(answers))
        for (const method of methods) {
          if (name === 'silence' && method !== 'getSignatureStatuses') continue;
          const undo = proxy.fault(method, fault);
          expect(await problemOf(chain.observe(plan, [attempt])), `${method}: ${name}`).toBe('unreachable');
          undo();
        }
      const otherAnswer = JSON.stringify({ jsonrpc: '2.0', id: 0, result: plan['genesis'] });
      proxy.fault('getGenesisHash', { kind: 'http', status: 200, body: otherAnswer }, 1);
      expect(await problemOf(chain.observe(plan, [attempt]))).toBe('unreachable');
      for (const method of ['getBalance', 'getLatestBlockhash', 'getMinimumBalanceForRentExemption']) {
        const undo = proxy.fault(method, { kind: 'result', value: {} });
        expect(await problemOf(chain.sign(plan, order, NOTHING)), method).toBe('unreachable');
        undo();
      }
      proxy.drop();
      expect(await chain.observe(plan, [attempt])).toEqual({ kind: 'open' });
    });

    test('the response of the node to sending never counts as final', async () => {
      const { proxy, chain, attempt } = await underWay();
      const send = async (fault: Fault) => {
        proxy.fault('sendTransaction', fault, 1);
        return problemOf(chain.send(attempt));
      };
      const preflight = (err: unknown): Fault => ({ kind: 'error', code: -32002, message: 'failed', data: { err } });
      expect(await send(preflight('BlockhashNotFound'))).toBe('unreachable');
      expect(await send(preflight({ InstructionError: [2, { Custom: 0 }] }))).toBe('unreachable');
      expect(await send(preflight('InsufficientFundsForFee'))).toBe('low_balance');
      expect(await send(preflight('AccountNotFound'))).toBe('low_balance');
      expect(await send(preflight({ InstructionError: [6, { Custom: 1 }] }))).toBe('low_balance');
      expect(await send(preflight({ InstructionError: [3, 'InvalidInstructionData'] }))).toBe('unsupported');
      expect(await send(preflight('AlreadyProcessed'))).toContain('no problem');
      const inWords = 'Error processing Instruction 6: custom program error: 0x1';
      expect(await send({ kind: 'error', code: -32002, message: inWords })).toBe('low_balance');
      expect(await send({ kind: 'error', code: -32003, message: 'Transaction signature verification failure' })).toBe(
        'unreachable',
      );
      // Another transaction than ours.
      expect(await send({ kind: 'result', value: '5'.repeat(88) })).toBe('unreachable');
      expect(await problemOf(chain.send({ ...attempt, transaction: '5'.repeat(88) }))).toBe('mismatch');
      expect(await problemOf(chain.send({ ...attempt, signed: Uint8Array.of(1, 2, 3) }))).toBe('mismatch');
      await chain.send(attempt);
      expect(proxy.calls.at(-1)?.params[1]).toEqual({
        encoding: 'base64',
        preflightCommitment: 'confirmed',
        maxRetries: 0,
      });
    });
  });
});
