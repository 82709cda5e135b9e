// The signer as a process, with its key in a key service that runs as another process.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { ANVIL_KEYS, anvil, startAnvil } from '#tests/support/chains/chains.ts';
import { startKms } from '#tests/support/chains/kms-service.ts';
import { startSigner } from '#tests/support/chains/signer.ts';
import { urlOf } from '#tests/support/processes/florka.ts';
import { readSignerEnv } from './env.ts';

vi.setConfig({ testTimeout: 60_000 });

const ID = 'arn:aws:kms:eu-central-1:111122223333:key/1';
const SETTINGS = {
  SIGNER_ETHEREUM_RPC_URL: 'http://127.0.0.1:1',
  SIGNER_ETHEREUM_KMS_KEY_ID: ID,
  SIGNER_ETHEREUM_ADDRESS: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  SIGNER_KMS_REGION: 'eu-central-1',
};
const read = (over: Record<string, string> = {}) => readSignerEnv({ ...SETTINGS, ...over } as NodeJS.ProcessEnv);

describe('the settings of a key in a key service', () => {
  it('are its id, its address and the region', () => {
    const { workers, kms } = read();
    expect(workers).toMatchObject([{ key: { kmsKeyId: ID, address: SETTINGS.SIGNER_ETHEREUM_ADDRESS } }]);
    expect(kms).toEqual({ region: 'eu-central-1', endpoint: undefined });
    expect(read({ SIGNER_KMS_URL: 'https://kms.example' }).kms?.endpoint).toBe('https://kms.example');
  });

  it.each([
    ['a local key as well', { SIGNER_ETHEREUM_KEY: ANVIL_KEYS[0] }, /KMS_KEY_ID and a key: only one of them/],
    ['no address', { SIGNER_ETHEREUM_ADDRESS: '' }, /SIGNER_ETHEREUM_ADDRESS: missing/],
    ['no region', { SIGNER_KMS_REGION: '' }, /SIGNER_KMS_REGION: missing/],
    ['an invalid region', { SIGNER_KMS_REGION: 'a b' }, /SIGNER_KMS_REGION/],
    ['an address and no id', { SIGNER_ETHEREUM_KMS_KEY_ID: '' }, /SIGNER_ETHEREUM_ADDRESS: only with/],
    ['neither', { SIGNER_ETHEREUM_KMS_KEY_ID: '', SIGNER_ETHEREUM_ADDRESS: '' }, /KMS_KEY_ID: missing/],
  ])('are refused with %s', (_what, over, message) => {
    expect(() => read(over)).toThrow(message);
  });
});

describe.skipIf(!anvil.available)(`the signer with its key in a key service${anvil.note}`, async () => {
  if (!anvil.available) return;
  const [app, kms, node, folder] = await Promise.all([
    startTestApp(),
    startKms(),
    startAnvil(),
    mkdtemp(path.join(os.tmpdir(), 'florka-kms-')),
  ]);
  await node.setBalance(kms.addresses.evm, 10n ** 18n);
  afterAll(async () => {
    await Promise.all([kms.stop(), node.stop(), rm(folder, { recursive: true, force: true })]);
  });
  function start(over: Record<string, string> = {}) {
    const one = startSigner({
      DATABASE_URL: urlOf(app.signerConfig),
      SIGNER_STATE_DIR: path.join(folder, 'state'),
      SIGNER_ETHEREUM_RPC_URL: node.url,
      SIGNER_ETHEREUM_CHAIN_ID: '31337',
      SIGNER_ETHEREUM_KMS_KEY_ID: 'evm',
      SIGNER_ETHEREUM_ADDRESS: kms.addresses.evm,
      SIGNER_KMS_REGION: kms.region,
      SIGNER_KMS_URL: kms.url,
      AWS_EC2_METADATA_DISABLED: 'true',
      ...kms.env,
      ...over,
    });
    // A test that fails before it stops it would leave it running.
    onTestFinished(one.kill);
    return one;
  }
  const worker = async () =>
    (await app.sql('select state, detail, deployer from signer_workers where network = $1', ['ethereum']))[0];

  it('signs with the configured address, and logs no credentials of the service', async () => {
    const one = start();
    await one.says('"msg":"at work"');
    expect(await worker()).toEqual({ state: 'ready', detail: null, deployer: kms.addresses.evm });
    expect(await one.stop()).toBe('0');
    expect(one.output()).not.toContain(kms.secret);
  });

  it('refuses to start with a key of another address, and names that address', async () => {
    const one = start({ SIGNER_ETHEREUM_ADDRESS: SETTINGS.SIGNER_ETHEREUM_ADDRESS });
    expect(await one.ended).toBe('1');
    expect(one.output()).toContain(
      `Wrong configuration of ethereum: The key in the key service has the address ${kms.addresses.evm}`,
    );
  });

  it('starts while the service denies access, reports that, and works as soon as it has access', async () => {
    await kms.behave('denied');
    // Until it has its lock, it does not replace what another process reported within the last minute.
    await app.sql(`update signer_workers set seen_at = now() - interval '61 seconds'`);
    const one = start();
    await one.says('key service');
    await one.says('Signer is ready');
    await vi.waitFor(
      async () =>
        expect(await worker()).toMatchObject({
          state: 'key_unavailable',
          detail: expect.stringContaining('AccessDenied'),
        }),
      20_000,
    );
    await kms.behave('ok');
    await one.says('"msg":"at work"');
    expect((await worker())?.['state']).toBe('ready');
    expect(await one.stop()).toBe('0');
    expect(one.output()).not.toContain(kms.secret);
    expect(one.output()).not.toContain('arn:');
  });
});
