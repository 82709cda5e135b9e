// Orders of a token over the API.
import type { APIRequestContext } from '@playwright/test';
import type pg from 'pg';

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** A request of the wizard with an unpaid order, and how it is paid in the simulation. */
export async function orderOf(
  from: APIRequestContext,
  { name, email, plan = 'basic' }: { name: string; email: string; plan?: string },
) {
  const made = await from.post('/api/token-requests', {
    data: {
      data: {
        tokenName: name,
        tokenSymbol: 'AJO',
        description: 'Un token de lago.',
        ownerWalletAddress: WALLET,
        selectedNetwork: 'ethereum',
        petitionerEmail: email,
        petitionerTelegram: '@ana',
      },
    },
  });
  const { id, secret, orderKey } = (await made.json()) as { id: string; secret: string; orderKey: string };
  const paying = await from.post(`/api/token-requests/${id}/payment`, {
    data: { secret, plan, locale: 'es', resemblanceAccepted: true },
  });
  const { paymentUrl, orderId } = (await paying.json()) as { paymentUrl: string; orderId: string };
  const pay = () =>
    from.post(new URL(paymentUrl).pathname, { form: { action: 'pay_all', currency: 'eth' }, maxRedirects: 0 });
  return { id, orderId, path: `/order/${id}#${orderKey}`, pay };
}

/** Money without an order, as the reconciliation stores it. @param id number of the deposit at the provider. */
export const addUnplacedMoney = (database: pg.Client, id: string) =>
  database.query('insert into unplaced_payments (provider_payment_id, deposit, simulation) values ($1, $2, true)', [
    id,
    {
      orderId: null,
      parentId: null,
      status: 'finished',
      priceAmount: 50,
      priceCurrency: 'usd',
      payCurrency: 'usdttrc20',
      actuallyPaid: 49.5,
    },
  ]);
