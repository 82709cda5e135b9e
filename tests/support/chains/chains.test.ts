// Tests of the helpers for chain tests.
import { parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ANVIL_ACCOUNTS, ANVIL_KEYS, type Anvil, anvil, startAnvil, startSurfnet, surfnet } from './chains.ts';
import { type RpcProxy, startRpcProxy } from './rpc-proxy.ts';

async function call(url: string, method: string, ...params: unknown[]): Promise<Response> {
  return fetch(url, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }) });
}

describe.skipIf(!anvil.available)(`Anvil behind the proxy${anvil.note}`, () => {
  let chain: Anvil;
  let proxy: RpcProxy;
  beforeAll(async () => {
    chain = await startAnvil({ chainId: 56 });
    proxy = await startRpcProxy(chain.url);
  });
  afterAll(async () => {
    await proxy.stop();
    await chain.stop();
  });

  const payment = (nonce: number) =>
    privateKeyToAccount(ANVIL_KEYS[0]).signTransaction({
      type: 'eip1559',
      chainId: 56,
      nonce,
      to: ANVIL_ACCOUNTS[1],
      value: parseEther('1'),
      gas: 21_000n,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 1n,
    });
  const nonce = async () => Number(await chain.rpc('eth_getTransactionCount', ANVIL_ACCOUNTS[0], 'latest'));

  test('the proxy forwards, changes and counts answers', async () => {
    expect(await (await call(proxy.url, 'eth_chainId')).json()).toMatchObject({ id: 7, result: '0x38' });
    const undo = proxy.fault('eth_chainId', { kind: 'change', to: (id) => `${id}00` });
    expect(await (await call(proxy.url, 'eth_chainId')).json()).toMatchObject({ id: 7, result: '0x3800' });
    undo();
    proxy.fault('*', { kind: 'http', status: 502, body: '<h1>Bad gateway</h1>' }, 1);
    const page = await call(proxy.url, 'eth_chainId');
    expect([page.status, await page.text()]).toEqual([502, '<h1>Bad gateway</h1>']);
    expect(await (await call(proxy.url, 'eth_chainId')).json()).toMatchObject({ result: '0x38' });
    expect(proxy.count('eth_chainId')).toBe(4);
  });

  test('the proxy keeps a transaction back, drops it, or loses the answer to it', async () => {
    const raw = await payment(await nonce());
    const before = await nonce();
    proxy.fault('eth_sendRawTransaction', { kind: 'keep' }, 2);
    const taken = (await (await call(proxy.url, 'eth_sendRawTransaction', raw)).json()) as { result: string };
    expect(taken.result).toMatch(/^0x[0-9a-f]{64}$/);
    proxy.drop();
    await proxy.release();
    expect(await nonce()).toBe(before);
    await call(proxy.url, 'eth_sendRawTransaction', raw);
    expect(await nonce()).toBe(before);
    await proxy.release();
    // On a busy machine an accepted transaction may not be mined yet.
    await expect.poll(nonce).toBe(before + 1);
    expect(await chain.rpc('eth_getTransactionReceipt', taken.result)).toMatchObject({ status: '0x1' });

    proxy.fault('eth_sendRawTransaction', { kind: 'lose' }, 1);
    await expect(call(proxy.url, 'eth_sendRawTransaction', await payment(before + 1))).rejects.toThrow();
    await expect.poll(nonce).toBe(before + 2);
    proxy.fault('eth_sendRawTransaction', { kind: 'cut' }, 1);
    await expect(call(proxy.url, 'eth_sendRawTransaction', await payment(before + 2))).rejects.toThrow();
    expect(await nonce()).toBe(before + 2);
  });
});

describe.skipIf(!surfnet.available)(`Surfnet behind the proxy${surfnet.note}`, () => {
  test('Surfnet answers and funds an account, and the proxy changes the height', async () => {
    const chain = startSurfnet();
    const proxy = await startRpcProxy(chain.url);
    try {
      proxy.fault('getBlockHeight', { kind: 'result', value: 10_000 });
      expect(await (await call(proxy.url, 'getBlockHeight')).json()).toMatchObject({ result: 10_000 });
      const someone = 'So11111111111111111111111111111111111111113';
      chain.fund(someone, 5_000_000);
      expect(await chain.rpc('getBalance', someone)).toMatchObject({ value: 5_000_000 });
      expect(chain.payerSecretKey).toHaveLength(64);
    } finally {
      await proxy.stop();
      chain.stop();
    }
  });
});
