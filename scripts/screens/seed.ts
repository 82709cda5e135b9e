// Creates what the demo's content lacks, through the API: orders in every state, a publication request, a report.
import { setTimeout as sleep } from 'node:timers/promises';

export interface Site {
  base: string;
  /** Its DATA_DIR. */
  data: string;
}
interface Answer {
  status: number;
  json<T>(): T;
}

let addresses = 0;
/** Everybody has an address of their own, so that no proof of work is needed. */
export const newAddress = (): string => `10.8.${++addresses % 250}.${Math.floor(addresses / 250) + 1}`;

async function post(site: Site, address: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(site.base + address, {
    method: 'POST',
    headers: { origin: site.base, 'content-type': 'application/json', 'x-forwarded-for': newAddress(), ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${address}: ${response.status} ${text}`);
  return { status: response.status, json: <T>() => JSON.parse(text) as T };
}

/** An order of the wizard; `pays` is a button of the payment simulation. Answers with its private address. */
async function order(site: Site, name: string, symbol: string, plan: string, pays?: string): Promise<string> {
  const made = await post(site, '/api/token-requests', {
    data: {
      tokenName: name,
      tokenSymbol: symbol,
      description: 'Un token de lago para quien cuida el agua.',
      ownerWalletAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      selectedNetwork: 'ethereum',
      petitionerEmail: 'ana@florka.test',
      petitionerTelegram: '@ana',
    },
  });
  const { id, secret, orderKey } = made.json<{ id: string; secret: string; orderKey: string }>();
  const paying = await post(site, `/api/token-requests/${id}/payment`, {
    secret,
    plan,
    locale: 'es',
    resemblanceAccepted: true,
  });
  const { paymentUrl } = paying.json<{ paymentUrl: string }>();
  if (pays)
    await fetch(site.base + new URL(paymentUrl).pathname, {
      method: 'POST',
      headers: { origin: site.base },
      body: new URLSearchParams({ action: pays, currency: 'eth' }),
      redirect: 'manual',
    });
  return `/order/${id}#${orderKey}`;
}

export interface Seeded {
  waiting: string;
  part: string;
  paid: string;
  failed: string;
  submission: string;
}

export async function seed(site: Site): Promise<Seeded> {
  const [waiting, part, paid, failed] = await Promise.all([
    order(site, 'Ajolote de plata', 'AJO', 'basic'),
    order(site, 'Colibrí de agua', 'COLI', 'entry', 'pay_part'),
    order(site, 'Luna de Oaxaca', 'LUNA', 'standard', 'pay_all'),
    order(site, 'Faro del Sur', 'FARO', 'complete', 'fail'),
  ]);
  const sent = await post(site, '/api/submissions', {
    projectName: 'Luna Roja',
    symbol: 'ROJA',
    description: 'Una luna para todos: cada noche de feria, un fondo común elige qué plaza se ilumina.',
    submitterName: 'Ana Gutiérrez',
    submitterEmail: 'ana@florka.test',
  });
  const { id, key } = sent.json<{ id: string; key: string }>();
  // The simulation notifies the site by callbacks.
  await sleep(2_500);
  return { waiting, part, paid, failed, submission: `/submission/${id}#${key}` };
}
