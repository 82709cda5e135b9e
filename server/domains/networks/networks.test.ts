import { expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';
import { fakeProvider } from '#tests/support/payments/fake-provider.ts';

const app = await startTestApp();

it('lists the active networks, oldest first, to everybody [NET-01] [NET-03] [DATA-38] [AMB-192]', async () => {
  const list = () => app.as().networks.list();
  expect((await list()).map(({ name, symbol }) => [name, symbol])).toEqual([
    ['Solana', 'SOL'],
    ['Ethereum', 'ETH'],
    ['BNB Chain', 'BNB'],
    ['Polygon', 'POL'],
  ]);
  await app.sql(`update blockchain_networks set is_active = false where key = 'ethereum'`);
  await app.sql(`update blockchain_networks set deleted_at = now() where key = 'bnb'`);
  await app.sql(
    `insert into blockchain_networks (key, name, symbol, created_at) values ('base', 'Base', 'B', '2025-01-01')`,
  );
  const left = await list();
  expect(left.map(({ key }) => key)).toEqual(['base', 'solana', 'polygon']);
  expect(Object.keys(left[0] ?? {}).sort()).toEqual([
    'createdAt',
    'delivery',
    'id',
    'isActive',
    'key',
    'manualDays',
    'name',
    'symbol',
  ]);
});

const { provider } = fakeProvider(() => 0);
const real = await startTestApp({ payments: provider, delivery: 'none', publicUrl: 'https://florka.test' });
const trial = await startTestApp({ payments: { ...provider, simulation: true }, delivery: 'none' });
type Site = typeof real;

const deliveries = async (site: Site) =>
  Object.fromEntries((await site.as().networks.list()).map(({ key, delivery }) => [key, delivery]));
let serial = 0;
/** A complete draft for a network, and the result of paying for it. */
async function buy(site: Site, selectedNetwork: string) {
  site.pass(1_500);
  const guest = site.as(null, { address: `10.9.${++serial}.1` });
  const wallet =
    selectedNetwork === 'solana' ? { ownerWalletAddress: '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T' } : {};
  const draft = await guest.tokenRequests.create({ data: { ...COMPLETE, ...wallet, selectedNetwork } });
  const { id, secret } = draft;
  return { ...draft, pay: () => guest.tokenRequests.pay({ id, secret, plan: 'basic', locale: 'es' }) };
}
const refusal = { code: 'DRAFT_INCOMPLETE', data: { missing: 'network' } };

it('sells real tokens only where a signer can deliver them [AMB-216]', async () => {
  expect(await deliveries(real)).toEqual({ solana: null, ethereum: null, bnb: null, polygon: null });
  const early = await buy(real, 'polygon');
  expect(early.hints).toContain('networkInactive');
  await expect(early.pay()).rejects.toMatchObject(refusal);

  await real.worker('polygon', { production: true });
  await real.worker('binance', { production: true });
  expect(await deliveries(real)).toEqual({ solana: null, ethereum: null, bnb: 'signer', polygon: 'signer' });
  expect(await early.pay()).toMatchObject({ state: 'awaiting' });
  await expect((await buy(real, 'ethereum')).pay()).rejects.toMatchObject(refusal);
});

it('keeps selling through a short outage, and stops when the signer stays away or cannot work [AMB-216]', async () => {
  const state = async (over: object) => {
    await real.worker('solana', { production: true, ...over });
    return (await deliveries(real))['solana'];
  };
  const ago = (minutes: number) => ({ seen_at: new Date(Date.now() - minutes * 60_000) });
  for (const passing of ['ready', 'unreachable', 'low_balance', 'cap_reached'])
    expect(await state({ state: passing, ...ago(50) }), passing).toBe('signer');
  expect(await state(ago(70))).toBeNull();
  for (const broken of ['wrong_chain', 'unsupported']) expect(await state({ state: broken }), broken).toBeNull();
  // It never reached its chain, or serves a test chain.
  expect(await state({ state: 'unreachable', production: null })).toBeNull();
  expect(await state({ production: false })).toBeNull();
});

it('sells with manual delivery where an operator promises it, and a payment keeps its promised days [AMB-216]', async () => {
  await real.sql("update blockchain_networks set manual_days = 5 where key = 'ethereum'");
  expect((await deliveries(real))['ethereum']).toBe('manual');
  const { id, pay } = await buy(real, 'ethereum');
  await pay();
  await real.sql("update blockchain_networks set manual_days = null where key = 'ethereum'");
  expect(await real.sql('select manual_days from payments where submission_id = $1', [id])).toEqual([
    { manual_days: 5 },
  ]);
  // The open payment is not returned again when the network is off sale.
  await expect(pay()).rejects.toMatchObject(refusal);
});

it('offers a trial, marked as a simulation, where payments are simulated and no signer runs [AMB-216]', async () => {
  expect(await deliveries(trial)).toEqual({ solana: 'trial', ethereum: 'trial', bnb: 'trial', polygon: 'trial' });
  await trial.sql("insert into blockchain_networks (key, name, symbol) values ('base', 'Base', 'B')");
  // Nothing can be created there, not even in a simulation with a signer.
  expect((await deliveries(trial))['base']).toBeNull();
  expect(await (await buy(trial, 'polygon')).pay()).toMatchObject({ simulation: true });
  // With a running signer, its networks are the available ones.
  await trial.worker('ethereum');
  expect(await deliveries(trial)).toEqual({ solana: null, ethereum: 'signer', bnb: null, polygon: null, base: null });
  await trial.worker('ethereum', { production: true });
  expect((await deliveries(trial))['ethereum']).toBeNull();
});
