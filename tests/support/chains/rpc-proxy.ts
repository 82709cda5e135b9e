// A proxy in front of a real local chain that injects faults. It knows enough of EVM and Solana to report "accepted"
// for a transaction that it withholds.
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { getBase58Decoder } from '@solana/kit';
import { type Hex, keccak256 } from 'viem';

export interface RpcCall {
  method: string;
  params: unknown[];
}

/** What happens to a call. */
export type Fault =
  /** Passes unchanged. */
  | { kind: 'pass' }
  /** Another result than the chain's; a function receives the chain's result, whose type its author declares. */
  | { kind: 'result'; value: unknown }
  | { kind: 'change'; to: (result: never) => unknown }
  /** An error of the protocol, as of the node. Not forwarded. */
  | { kind: 'error'; message: string; code?: number; data?: unknown }
  /** Any answer over HTTP: a page of HTML, garbage, a redirect. Not forwarded. */
  | { kind: 'http'; status: number; body?: string; headers?: Record<string, string> }
  /** Passes after a delay in milliseconds. */
  | { kind: 'delay'; ms: number }
  /** No response, and not forwarded: the connection is reset. */
  | { kind: 'cut' }
  /** Forwarded and executed, but the response is lost. */
  | { kind: 'lose' }
  /** Neither answered nor forwarded until `release`; `drop` resets the connection. */
  | { kind: 'hold' }
  /** A transaction: answered as accepted, and forwarded by `release` only; `drop` discards it. */
  | { kind: 'keep' };

type Decide = (call: RpcCall) => Fault | undefined;

/** A call that is held. */
interface Held {
  call: RpcCall;
  release: () => Promise<void>;
  drop: () => void;
}

interface Exchange {
  /** Id of the call, repeated in the response. */
  id: unknown;
  call: RpcCall;
  response: http.ServerResponse;
  /** Forwards the call to the chain. */
  forward: () => Promise<string>;
  /** Holds the call until it is released or dropped. */
  hold: (one: Omit<Held, 'call'>) => void;
}

async function forward(target: string, body: string): Promise<string> {
  const response = await fetch(target, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return response.text();
}

async function applyFault(fault: Fault, { id, call, response, forward, hold }: Exchange): Promise<void> {
  const respond = (text: string) => response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  const reply = (content: { result: unknown } | { error: unknown }) =>
    respond(JSON.stringify({ jsonrpc: '2.0', id, ...content }));
  switch (fault.kind) {
    case 'pass':
      return void respond(await forward());
    case 'result':
      return void reply({ result: fault.value });
    case 'change': {
      const real = JSON.parse(await forward()) as { result?: unknown };
      return void ('result' in real
        ? reply({ result: fault.to(real.result as never) })
        : respond(JSON.stringify(real)));
    }
    case 'error': {
      const { code = -32000, message, data } = fault;
      return void reply({ error: { code, message, ...(data === undefined ? {} : { data }) } });
    }
    case 'http':
      return void response
        .writeHead(fault.status, { 'content-type': 'text/html', ...fault.headers })
        .end(fault.body ?? '');
    case 'delay':
      await new Promise((resolve) => setTimeout(resolve, fault.ms));
      return void respond(await forward());
    case 'cut':
      return void response.destroy();
    case 'lose':
      await forward();
      return void response.destroy();
    case 'hold':
      return hold({ release: async () => void respond(await forward()), drop: () => void response.destroy() });
    case 'keep':
      hold({ release: async () => void (await forward()), drop: () => {} });
      return void reply({ result: nameOf(call) });
  }
}

/** A proxy on a free port of loopback. Faults are set for methods; the one that was set last has priority. */
export async function startRpcProxy(target: string) {
  const calls: RpcCall[] = [];
  const headers: http.IncomingHttpHeaders[] = [];
  let rules: { method: string; decide: Decide }[] = [];
  let held: Held[] = [];

  function faultFor(call: RpcCall): Fault {
    for (const rule of rules.toReversed()) {
      const fault = rule.method === '*' || rule.method === call.method ? rule.decide(call) : undefined;
      if (fault) return fault;
    }
    return { kind: 'pass' };
  }

  async function answer(body: string, response: http.ServerResponse): Promise<void> {
    const { id, method, params } = JSON.parse(body) as { id: unknown; method: string; params?: unknown[] };
    const call: RpcCall = { method, params: params ?? [] };
    calls.push(call);
    const hold = (one: Omit<Held, 'call'>) => void held.push({ call, ...one });
    await applyFault(faultFor(call), { id, call, response, forward: () => forward(target, body), hold });
  }

  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      headers.push(request.headers);
      answer(Buffer.concat(chunks).toString(), response).catch(() => response.destroy());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    /** Every call that arrived, oldest first. */
    calls,
    /** Headers of each request. */
    headers,
    count: (method: string): number => calls.filter((call) => call.method === method).length,
    /**
     * Sets a fault for a method, or for all with `*`.
     * @param fault the fault, or a function that decides for each call; undefined leaves it to earlier rules.
     * @param times number of calls that it applies to; unlimited by default.
     * @returns a function that removes it.
     */
    fault(method: string, fault: Fault | Decide, times = Number.POSITIVE_INFINITY): () => void {
      let left = times;
      const rule = {
        method,
        decide: (call: RpcCall): Fault | undefined => {
          if (left <= 0) return undefined;
          const now = typeof fault === 'function' ? fault(call) : fault;
          if (now) left--;
          return now;
        },
      };
      rules.push(rule);
      return () => {
        rules = rules.filter((other) => other !== rule);
      };
    },
    /** Removes all faults; held calls stay held. */
    clear: () => {
      rules = [];
    },
    /** The calls that are held. */
    held: (): readonly RpcCall[] => held.map(({ call }) => call),
    /** Forwards the held calls to the chain, oldest first. */
    release: async () => {
      for (const one of held.splice(0)) await one.release();
    },
    /** Discards the held calls. */
    drop: () => {
      for (const one of held.splice(0)) one.drop();
    },
    stop: async () => {
      held = [];
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
export type RpcProxy = Awaited<ReturnType<typeof startRpcProxy>>;

/** The hash or signature of a transaction, which the node would return. */
function nameOf({ method, params }: RpcCall): string {
  if (method === 'eth_sendRawTransaction') return keccak256(params[0] as Hex);
  // After the number of signatures (one byte for fewer than 128) comes that of the payer.
  if (method === 'sendTransaction') {
    const encoding = (params[1] as { encoding?: string } | undefined)?.encoding;
    if (encoding !== 'base64') throw new Error('only transactions in base64 can be kept back');
    return getBase58Decoder().decode(Buffer.from(params[0] as string, 'base64').subarray(1, 65));
  }
  throw new Error(`a call of ${method} can be held, not kept back`);
}
