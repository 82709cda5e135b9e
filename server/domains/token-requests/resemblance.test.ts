import { expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';
import { fakeProvider } from '#tests/support/payments/fake-provider.ts';

const fake = fakeProvider(() => app.now.getTime());
const app = await startTestApp({ payments: fake.provider });
const admin = await app.member({ role: 'admin' });
const back = app.as(admin).admin;

let serial = 0;
/** A complete draft of a guest. */
async function draft(over: object = {}) {
  app.pass(61_000);
  const api = app.as(null, { address: `10.8.${++serial}.1` });
  const { id, secret } = await api.tokenRequests.create({ data: { ...COMPLETE, ...over } });
  const pay = (resemblanceAccepted = false) => {
    app.pass(11_000);
    return api.tokenRequests.pay({ id, secret, plan: 'entry', locale: 'es', resemblanceAccepted });
  };
  return { id, pay };
}
const shown = (tokenName: string, over: object = {}) =>
  back.projects.create({
    tokenName,
    tokenSymbol: `S${++serial}`,
    tokenAddress: `0x${`${serial}`.padStart(4, 'b').repeat(10)}`,
    status: 'published_home',
    resemblanceAccepted: true,
    ...over,
  });

it('a token that resembles a public one can be paid once its applicant accepts that, which is audited', async () => {
  const token = await shown('Colibrí de Plata', { websiteUrl: 'https://colibriplata.example/' });
  const { pay, id } = await draft({ tokenName: 'C0libri dе Plаta', website: 'https://colibriplata.example/es' });
  await expect(pay()).rejects.toMatchObject({
    code: 'RESEMBLES',
    data: { found: [{ id: token.id, alike: ['name', 'link'], path: expect.stringContaining('/token/') }] },
  });
  expect(fake.invoices).toEqual([]);
  expect(await app.sql('select 1 from payments where submission_id = $1', [id])).toEqual([]);
  await pay(true);
  expect(fake.invoices).toHaveLength(1);
  const [entry] = await app.sql<{ after: object }>(
    `select after from audit_events where action = 'payment.created' and after->>'requestId' = $1`,
    [id],
  );
  expect(entry?.after).toMatchObject({ resemblanceAccepted: 'Colibrí de Plata (name, link)' });
});

it('a token that resembles no public one, but perhaps a hidden one, can be paid at once', async () => {
  await shown('Quetzal Nocturno', { status: 'pending' });
  const before = fake.invoices.length;
  await (await draft({ tokenName: 'Quetzal Nocturno', tokenSymbol: 'QZN' })).pay();
  await (await draft({ tokenName: 'Tortuga Veloz', tokenSymbol: 'TVZ' })).pay();
  expect(fake.invoices).toHaveLength(before + 2);
});
