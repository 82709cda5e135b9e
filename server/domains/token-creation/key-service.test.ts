// The token creator with a key in a key service: real keys in a separate process, a real local chain.
import { afterAll, describe, expect, it, vi } from 'vitest';
import { tokenLines } from '#server/doctor/payment-lines.ts';
import { evmChain } from '#server/providers/chains/evm.ts';
import { kmsKeys } from '#server/providers/chains/keys/kms.ts';
import { admin, api, app, creatorOf, ordered } from '#tests/fixtures/token-creator.ts';
import { anvil, startAnvil } from '#tests/support/chains/chains.ts';
import { tokensOf } from '#tests/support/chains/evm-rig.ts';
import { type KmsMode, startKms } from '#tests/support/chains/kms-service.ts';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';

vi.setConfig({ testTimeout: 60_000 });

describe.skipIf(!anvil.available)(`a key in a key service${anvil.note}`, async () => {
  if (!anvil.available) return;
  const [kms, node] = await Promise.all([startKms(), startAnvil()]);
  for (const [name, value] of Object.entries(kms.env)) vi.stubEnv(name, value);
  await node.setBalance(kms.addresses.evm, 10n ** 18n);
  const keys = kmsKeys({ region: kms.region, endpoint: kms.url, timeouts: { connect: 300, answer: 300 } });
  afterAll(async () => {
    keys.close();
    await Promise.all([kms.stop(), node.stop()]);
    vi.unstubAllEnvs();
  });
  const creator = () =>
    creatorOf({
      chain: evmChain({
        network: 'ethereum',
        chainId: 31337,
        rpcUrl: node.url,
        key: keys.evm('evm', kms.addresses.evm),
        confirmations: 1,
      }),
    });
  const tokens = () => tokensOf(node, COMPLETE.ownerWalletAddress ?? '');
  const pass = async (one: ReturnType<typeof creator>) => {
    for (let i = 0; i < 20; i++) {
      const wait = await one.work();
      if (wait === null) return;
      app.pass(Math.max(wait, 1_000));
    }
  };
  const worker = async () =>
    (await app.sql("select state from signer_workers where network = 'ethereum'"))[0]?.['state'];

  it.each([
    ['denied', 'key_unavailable'],
    ['sign_hangs', 'key_unavailable'],
    ['other_signs', 'wrong_key'],
    ['other_key', 'wrong_key'],
  ] satisfies [KmsMode, string][])(
    'in mode %s makes the order wait, which then continues by itself with one token',
    async (mode, problem) => {
      const before = await tokens();
      const one = await ordered();
      await kms.behave(mode);
      const first = creator();
      await first.work();
      expect(await one.creation()).toMatchObject({ problem, attempts: [], retryable: false });
      expect((await one.creation()).nextAttemptAt).not.toBeNull();
      // Another process gets the same result.
      app.pass(10_000);
      await creator().work();
      expect(await one.creation()).toMatchObject({ problem, attempts: [] });
      expect(await tokens()).toEqual(before);
      await kms.behave('ok');
      app.pass(130_000);
      await pass(creator());
      expect(await one.creation()).toMatchObject({ state: 'completed', problem: null });
      expect((await one.creation()).attempts).toHaveLength(1);
      const { address } = await one.creation();
      expect((await tokens()).toSorted()).toEqual([...before, address?.toLowerCase()].toSorted());
    },
  );

  it('that stays unavailable holds the order after half an hour, and a retry continues with the same data', async () => {
    const one = await ordered();
    await kms.behave('disabled');
    const signer = creator();
    await signer.work();
    app.pass(31 * 60_000);
    await signer.work();
    expect(await one.creation()).toMatchObject({ state: 'held', problem: 'key_unavailable', attempts: [] });
    const { snapshotHash } = await one.creation();
    const before = await tokens();
    await kms.behave('ok');
    await app.worker('ethereum');
    await app.sql('update sessions set proved_at = now() where user_id = $1', [admin.id]);
    await api.retryCreation({ requestId: one.id });
    await pass(creator());
    expect(await one.creation()).toMatchObject({ state: 'completed', problem: null, snapshotHash });
    const { address } = await one.creation();
    expect((await tokens()).toSorted()).toEqual([...before, address?.toLowerCase()].toSorted());
  });

  it.each([
    ['denied', 'key_unavailable'],
    ['other_key', 'wrong_key'],
    ['ok', 'ready'],
  ] satisfies [KmsMode, string][])('in mode %s is reported to site and florka doctor as %s', async (mode, state) => {
    await kms.behave(mode);
    await creator().heartbeat();
    expect(await worker()).toBe(state);
    const line = (await tokenLines(app.services.pool, false)).find(({ name }) => name === 'ethereum');
    expect(line?.value).toContain(state.replaceAll('_', ' '));
    if (state === 'ready') expect(line?.problem).toBeUndefined();
    else expect(line?.problem).toMatch(/key service/);
  });
});
