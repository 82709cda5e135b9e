// Valid and invalid orders of a token on an EVM chain, the facts read back, and the secrets that are never disclosed.
import { inspect } from 'node:util';
import { getCreate2Address, type Hex } from 'viem';
import { describe, expect, test } from 'vitest';
import { anvil } from '#tests/support/chains/chains.ts';
import {
  DEPLOYER,
  drive,
  FOREIGN_KEY,
  FOREIGNER,
  KEY,
  OWNER,
  order,
  planned,
  problem,
  rig,
  transact,
  UNITS,
} from '#tests/support/chains/evm-rig.ts';
import type { Fault } from '#tests/support/chains/rpc-proxy.ts';
import { DEPLOYMENT_PROXY, type EvmPlan } from './evm-token.ts';
import type { TokenOrder } from './port.ts';

describe.skipIf(!anvil.available)(`Tokens on EVM chains${anvil.note}`, () => {
  describe('reading back', () => {
    test('facts that differ from the order are refused, one by one', async () => {
      const { node, proxy, start } = await rig();
      const token = order();
      const journal = await planned(start(), token);
      const { transaction } = await drive(start(), token, journal);
      const other = order({ name: 'Other', symbol: 'OTHER', supply: 5n });
      const otherJournal = await planned(start(), other);
      await drive(start(), other, otherJournal);
      const read = () => start().read(journal.plan, token, transaction);
      await read();

      // Each field in turn is that of another token.
      for (const [selector, what] of [
        ['0x06fdde03', 'name'],
        ['0x95d89b41', 'symbol'],
        ['0x18160ddd', 'supply'],
      ] as const) {
        const wrong = await node.rpc('eth_call', { to: otherJournal.plan.address, data: selector }, 'latest');
        const undo = proxy.fault('eth_call', ({ params }) =>
          (params[0] as { data: Hex }).data === selector ? { kind: 'result', value: wrong } : undefined,
        );
        await expect(read(), what).rejects.toThrow(`another ${what}`);
        await expect(read(), what).rejects.toEqual(problem('mismatch'));
        undo();
      }
      const changes: [string, (result: never) => unknown, string][] = [
        ['eth_getCode', (code: string) => `${code}00`, 'another code'],
        [
          'eth_call',
          (data: string) => (data.length === 66 && BigInt(data) === 18n ? `0x${'6'.padStart(64, '0')}` : data),
          'decimals',
        ],
        ['eth_getTransactionReceipt', (receipt: object) => ({ ...receipt, logs: [] }), 'another creation'],
        [
          'eth_getTransactionReceipt',
          (receipt: { logs: object[] }) => ({
            ...receipt,
            logs: receipt.logs.map((log) => ({ ...log, address: FOREIGNER })),
          }),
          'another creation',
        ],
        [
          'eth_getTransactionReceipt',
          (receipt: { logs: { topics: string[] }[] }) => ({
            ...receipt,
            logs: receipt.logs.map((log) => ({
              ...log,
              topics: [...log.topics.slice(0, 2), `0x${'1'.padStart(64, '0')}`],
            })),
          }),
          'another owner',
        ],
        [
          'eth_getTransactionReceipt',
          (receipt: { logs: object[] }) => ({
            ...receipt,
            logs: receipt.logs.map((log) => ({ ...log, data: `0x${'1'.padStart(64, '0')}` })),
          }),
          'another share',
        ],
        ['eth_getTransactionReceipt', (receipt: object) => ({ ...receipt, status: '0x0' }), 'failed'],
      ];
      for (const [method, to, words] of changes) {
        const undo = proxy.fault(method, { kind: 'change', to });
        await expect(read(), words).rejects.toThrow(words);
        await expect(read(), words).rejects.toEqual(problem('mismatch'));
        undo();
      }
      // A creation that is no longer in a block cannot be read.
      proxy.fault('eth_getTransactionReceipt', {
        kind: 'change',
        to: (receipt: object) => ({ ...receipt, blockHash: `0x${'1'.repeat(64)}` }),
      });
      await expect(read()).rejects.toEqual(problem('unreachable'));
    });

    test('a plan that was changed in storage is neither signed nor read', async () => {
      const { start } = await rig();
      const token = order();
      const chain = start();
      const plan = (await chain.prepare(token)) as EvmPlan;
      const forged = (await chain.prepare({ ...token, owner: FOREIGNER })) as EvmPlan;
      const evil: Hex = `0x6000${plan.initCode.slice(6)}`;
      const evilAddress = getCreate2Address({ from: DEPLOYMENT_PROXY, salt: plan.salt, bytecode: evil });
      for (const [what, changed] of [
        ['another owner', forged],
        ['another address', { ...plan, address: FOREIGNER }],
        ['another request', { ...plan, salt: `0x${'1'.repeat(64)}` }],
        ['a whole plan of another request', await chain.prepare({ ...token, requestId: order().requestId })],
        ['another contract', { ...plan, initCode: evil }],
        ['another contract at its address', { ...plan, initCode: evil, address: evilAddress }],
        ['no contract', { ...plan, initCode: '0x' }],
      ] as const) {
        await expect(chain.sign(changed, token, { nonceFrom: 0n }), what).rejects.toEqual(problem('mismatch'));
        await expect(chain.read(changed, token, null), what).rejects.toEqual(problem('mismatch'));
      }
      for (const changed of [
        { ...token, supply: 2n },
        { ...token, name: 'Else' },
        { ...token, symbol: 'ELSE' },
      ])
        await expect(chain.sign(plan, changed, { nonceFrom: 0n })).rejects.toEqual(problem('mismatch'));
    });
  });

  describe('orders', () => {
    test('minimum and maximum values become a token', async () => {
      const { start } = await rig();
      const max = (2n ** 256n - 1n) / UNITS;
      for (const over of [
        { name: 'A', symbol: 'A', supply: 1n },
        { supply: 2n ** 53n - 1n },
        { name: 'Ω'.repeat(16), symbol: '🚀🚀ab', supply: max },
        { owner: OWNER.toLowerCase() },
        { owner: `0x${OWNER.slice(2).toUpperCase()}` },
      ]) {
        const token = order(over);
        const journal = await planned(start(), token);
        const { transaction } = await drive(start(), token, journal);
        expect(await start().read(journal.plan, token, transaction)).toMatchObject({
          name: token.name,
          symbol: token.symbol,
          ownerReceived: String(token.supply * UNITS),
        });
      }
    });

    test('invalid orders are refused before anything is derived', async () => {
      const { node, proxy, start } = await rig();
      const chain = start();
      const made = order();
      const journal = await planned(chain, made);
      await drive(chain, made, journal);
      const flipped = OWNER.replace('C', 'c');
      const cases: [string, Partial<TokenOrder>][] = [
        ['owner_invalid', { owner: flipped }],
        ['owner_invalid', { owner: `0x${'0'.repeat(40)}` }],
        ['owner_invalid', { owner: '0x0000000000000000000000000000000000000001' }],
        ['owner_invalid', { owner: '0x000000000000000000000000000000000000dEaD' }],
        ['owner_invalid', { owner: DEPLOYMENT_PROXY }],
        ['owner_invalid', { owner: DEPLOYER }],
        ['owner_invalid', { owner: OWNER.slice(2) }],
        ['owner_invalid', { owner: ` ${OWNER}` }],
        ['owner_invalid', { owner: OWNER.slice(0, -1) }],
        ['owner_invalid', { owner: 'So11111111111111111111111111111111111111112' }],
        ['owner_invalid', { owner: '' }],
        ['owner_is_program', { owner: journal.plan.address }],
        ['name_invalid', { name: '' }],
        ['name_invalid', { name: 'x'.repeat(33) }],
        ['name_invalid', { name: 'Ω'.repeat(17) }],
        ['name_invalid', { name: 'a\u0000b' }],
        ['name_invalid', { name: '\ud800' }],
        ['symbol_invalid', { symbol: '' }],
        ['symbol_invalid', { symbol: '🚀🚀🚀' }],
        ['symbol_invalid', { symbol: 'a\nb' }],
        ['supply_invalid', { supply: 0n }],
        ['supply_invalid', { supply: -1n }],
        ['supply_invalid', { supply: (2n ** 256n - 1n) / UNITS + 1n }],
      ];
      const sent = proxy.count('eth_sendRawTransaction');
      for (const [name, over] of cases)
        await expect(chain.prepare(order(over)), inspect(over)).rejects.toEqual(problem(name));
      await expect(chain.prepare(order({ requestId: 'r1' }))).rejects.toThrow(RangeError);
      const good = order();
      const plan = await chain.prepare(good);
      await expect(chain.sign(plan, { ...good, supply: 0n }, { nonceFrom: 1n })).rejects.toEqual(
        problem('supply_invalid'),
      );
      expect(proxy.count('eth_sendRawTransaction')).toBe(sent);

      // Contracts that can hold tokens are valid owners: a multisig, and an account with delegated code.
      for (const code of ['0x60006000fd', `0xef0100${journal.plan.address.slice(2)}`]) {
        await node.rpc('anvil_setCode', FOREIGNER, code);
        await chain.prepare(order({ owner: FOREIGNER }));
      }
    });

    test('another request, chain, owner or text has another address; the same has the same', async () => {
      const { start } = await rig();
      const { start: elsewhere } = await rig({ chainId: 56 });
      const token = order();
      const { address } = await start().prepare(token);
      expect((await start().prepare({ ...token, requestId: token.requestId.toUpperCase() })).address).toBe(address);
      const others = [
        await elsewhere().prepare(token),
        await start().prepare({ ...token, requestId: order().requestId }),
        await start().prepare({ ...token, owner: FOREIGNER }),
        await start().prepare({ ...token, name: 'Demo2' }),
        await start().prepare({ ...token, symbol: 'DEMO2' }),
        await start().prepare({ ...token, supply: 1n }),
      ];
      expect(new Set([address, ...others.map((plan) => plan.address)]).size).toBe(7);
    });
  });

  describe('secrets', () => {
    test("neither the key nor the node's address appears in any error or object", async () => {
      const { proxy, start, node } = await rig();
      const secret = 'api-key-of-the-node';
      const port = new URL(proxy.url).port;
      const rpcUrl = `${proxy.url.replace('http://', `http://user:${secret}@`)}/v3/${secret}`;
      const chain = start({ rpcUrl });
      const token = order();
      const journal = await planned(chain, token);
      const seen: unknown[] = [chain, journal.plan, await chain.probe()];
      const catching = async (work: () => Promise<unknown>) => {
        try {
          seen.push(await work());
        } catch (error) {
          seen.push(error, (error as Error).cause, (error as Error).stack);
        }
      };
      const calls = [
        () => chain.probe(),
        () => chain.prepare(token),
        () => chain.observe(journal.plan, journal.attempts),
        () => chain.sign(journal.plan, token, { nonceFrom: 0n }),
        () => chain.read(journal.plan, token, null),
        async () => chain.send(await transact(node, FOREIGN_KEY, { nonce: 0 })),
      ];
      const faults: Fault[] = [
        { kind: 'pass' },
        { kind: 'cut' },
        { kind: 'http', status: 401, body: secret },
        { kind: 'http', status: 302, headers: { location: `http://${secret}.test/` } },
        { kind: 'error', message: `project ${secret} at ${rpcUrl} has no access` },
        { kind: 'result', value: secret },
      ];
      for (const fault of faults)
        for (const method of ['*', 'eth_getCode', 'eth_estimateGas', 'eth_sendRawTransaction']) {
          const undo = proxy.fault(method, fault);
          await Promise.all(calls.map(catching));
          undo();
        }
      await catching(async () => start({ key: `${KEY}00` }));
      await catching(async () => start({ key: KEY.slice(0, -1) }));
      await catching(async () => start({ key: `0x${'f'.repeat(64)}` }));
      await catching(async () => start({ rpcUrl: `ftp://${secret}@127.0.0.1:${port}` }));
      await catching(async () => start({ rpcUrl: `${secret}:${port}` }));

      const json = (value: unknown) =>
        JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part));
      const text = seen
        .flatMap((one) => [inspect(one, { depth: null, showHidden: true, getters: true }), json(one), String(one)])
        .join('\n');
      expect(seen.length).toBeGreaterThan(100);
      expect(text).not.toContain(KEY.slice(2, 40));
      expect(text).not.toContain(BigInt(KEY).toString());
      expect(text).not.toContain('f'.repeat(60));
      expect(text).not.toContain(secret);
      expect(text).not.toMatch(new RegExp(`\\b${port}\\b`));
    });

    test('a password in the address reaches the node', async () => {
      const { proxy, start } = await rig();
      await start({ rpcUrl: proxy.url.replace('http://', 'http://user:p%40ss@') }).probe();
      expect(proxy.headers.at(-1)?.authorization).toBe(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
    });
  });
});
