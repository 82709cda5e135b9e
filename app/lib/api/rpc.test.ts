import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiFailure, codeOf } from './failure.ts';
import { isLost } from './lost-answer.ts';
import { client } from './rpc.ts';

afterEach(() => vi.unstubAllGlobals());

/** The failure of a call that gets this response, from the server or from a proxy in front of it. */
async function failureOf(response: Response): Promise<unknown> {
  vi.stubGlobal('fetch', async () => response);
  return client.networks.list().then(
    () => expect.fail('it was answered'),
    (error: unknown) => error,
  );
}

describe('a call to the server', () => {
  it('counts as lost when the connection breaks during the answer', async () => {
    const broken = new ReadableStream({
      start(stream) {
        stream.enqueue(new TextEncoder().encode('{"json":'));
        stream.error(new TypeError('network error'));
      },
    });
    expect(isLost(await failureOf(new Response(broken)))).toBe(true);
  });

  it('fails with a code, and not as lost, when the answer is not from the API', async () => {
    const failure = await failureOf(new Response('<h1>Sign in to the network</h1>'));
    expect(failure).toBeInstanceOf(ApiFailure);
    expect([codeOf(failure), isLost(failure)]).toEqual(['UNEXPECTED', false]);
    expect(codeOf(await failureOf(new Response('<h1>Busy</h1>', { status: 503 })))).toBe('BUSY');
  });
});
