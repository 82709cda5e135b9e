import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiFailure, codeOf } from './failure.ts';
import { isLost } from './lost-answer.ts';
import { client } from './rpc.ts';

afterEach(() => vi.unstubAllGlobals());

/** The failure of a call that the server, or what is in front of it, answers with this. */
async function failureOf(response: Response): Promise<unknown> {
  vi.stubGlobal('fetch', async () => response);
  return client.networks.list().then(
    () => expect.fail('it was answered'),
    (error: unknown) => error,
  );
}

describe('a call to the server', () => {
  it('is lost when the connection breaks within the answer, as before it', async () => {
    const broken = new ReadableStream({
      start(stream) {
        stream.enqueue(new TextEncoder().encode('{"json":'));
        stream.error(new TypeError('network error'));
      },
    });
    expect(isLost(await failureOf(new Response(broken)))).toBe(true);
  });

  it('has failed when what answers is no API', async () => {
    const failure = await failureOf(new Response('<h1>Sign in to the network</h1>'));
    expect(failure).toBeInstanceOf(ApiFailure);
    expect([codeOf(failure), isLost(failure)]).toEqual(['UNEXPECTED', false]);
    expect(codeOf(await failureOf(new Response('<h1>Busy</h1>', { status: 503 })))).toBe('BUSY');
  });
});
