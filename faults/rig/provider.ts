import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmulator } from '../../emulator/emulator.ts';

export const API_KEY = 'key-of-the-simulated-provider';
export const IPN_SECRET = 'callback-secret-of-the-simulated-provider';

/** Behaviour of the payment provider. */
export interface ProviderBehaviour {
  /** `lie`: every unpaid deposit is reported as finished; `late`: longer than the timeout; `down`: 502. */
  answers: 'truth' | 'lie' | 'late' | 'down';
  callbacks: 'once' | 'twice' | 'late' | 'never';
}

export type Provider = Awaited<ReturnType<typeof startProvider>>;

/** The payment emulator, and a proxy in front of it that changes its responses and callbacks. */
export async function startProvider() {
  const behaviour: ProviderBehaviour = { answers: 'truth', callbacks: 'once' };
  /** Callbacks held until `release`. */
  let stored: (() => void)[] = [];
  const emulator = await startEmulator({
    apiKey: API_KEY,
    ipnSecret: IPN_SECRET,
    pageBase: 'http://127.0.0.1/sandbox',
    pace: 200,
    retryDelay: 2_000,
  });
  let own = '';

  async function bodyOf(req: http.IncomingMessage): Promise<string> {
    return Buffer.concat(await req.toArray()).toString();
  }

  /** Forwards a callback as often as the configured behaviour requires. */
  async function callBack(req: http.IncomingMessage, res: http.ServerResponse, to: string): Promise<void> {
    const body = await bodyOf(req);
    const headers = {
      'content-type': 'application/json',
      'x-nowpayments-sig': String(req.headers['x-nowpayments-sig'] ?? ''),
    };
    const send = async () => {
      const answer = await fetch(to, { method: 'POST', headers, body, signal: AbortSignal.timeout(20_000) });
      await answer.arrayBuffer();
      return answer.status;
    };
    if (behaviour.callbacks === 'never') return void res.writeHead(200).end();
    if (behaviour.callbacks === 'late') {
      stored.push(() => void send().catch(() => {}));
      return void res.writeHead(200).end();
    }
    const answers = await Promise.all(behaviour.callbacks === 'twice' ? [send(), send(), send()] : [send()]);
    res.writeHead(answers[0] ?? 500).end();
  }

  /** Calls the emulator, and changes its response. */
  async function relay(req: http.IncomingMessage, res: http.ServerResponse): Promise<void> {
    const { answers } = behaviour;
    if (answers === 'down') return void res.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
    if (answers === 'late') await sleep(15_000);
    let body = await bodyOf(req);
    if (req.method === 'POST' && req.url === '/v1/invoice') {
      const request = JSON.parse(body) as Record<string, unknown>;
      body = JSON.stringify({
        ...request,
        ipn_callback_url: `${own}/callback?to=${encodeURIComponent(String(request['ipn_callback_url']))}`,
      });
    }
    const answer = await fetch(emulator.origin + req.url, {
      method: req.method ?? 'GET',
      headers: {
        'x-api-key': String(req.headers['x-api-key'] ?? ''),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body } : {}),
    });
    const text = await answer.text();
    res.writeHead(answer.status, { 'content-type': 'application/json' }).end(answers === 'lie' ? lieAbout(text) : text);
  }

  const server = http.createServer((req, res) => {
    const url = new URL(req.url ?? '/', 'http://relay');
    const work = url.pathname === '/callback' ? callBack(req, res, url.searchParams.get('to') ?? '') : relay(req, res);
    work.catch(() => res.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url: `${own}/v1`,
    behaviour,
    emulator,
    /** Delivers the held callbacks, newest first. */
    release(): void {
      for (const send of stored.splice(0).toReversed()) send();
    },
    close: async () => {
      stored = [];
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await emulator.close();
    },
  };
}

/** Reports every deposit as paid, for another order and with another price. */
const lieAbout = (text: string): string =>
  text
    .replaceAll(/"payment_status":"\w+"/g, '"payment_status":"finished"')
    .replaceAll(/"order_id":"[^"]*"/g, '"order_id":"FL-0000000000"')
    .replaceAll(/"price_amount":"?[\d.]+"?/g, '"price_amount":1');
