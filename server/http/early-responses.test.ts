import net from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp();
let person: Person;
beforeAll(async () => {
  person = await app.member();
});
const MEGABYTE = 1024 * 1024;

/** The response received by a client that writes the whole body before reading, or the error of a broken connection. */
function send(path: string, megabytes: number, headers: Record<string, string>): Promise<number | string> {
  return new Promise((resolve) => {
    const socket = net.connect(Number(new URL(app.origin).port), '127.0.0.1');
    const withLength = 'content-length' in headers;
    const lines = Object.entries({
      host: 'florka.test',
      'content-type': 'application/json',
      ...(withLength ? {} : { 'transfer-encoding': 'chunked' }),
      ...headers,
    }).map(([name, value]) => `${name}: ${value}`);
    let answer = '';
    let whole = false;
    const settle = () => {
      if (!whole || !answer.includes('\r\n\r\n')) return;
      resolve(Number(/^HTTP\/1\.1 (\d+) /.exec(answer)?.[1]));
      socket.destroy();
    };
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      settle();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    socket.on('close', () => resolve(`closed after ${answer.length} characters`));
    socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    const part = Buffer.alloc(MEGABYTE, 'x');
    const frame = withLength ? part : Buffer.concat([Buffer.from('100000\r\n'), part, Buffer.from('\r\n')]);
    let sent = 0;
    const write = () => {
      if (sent++ < megabytes) socket.write(frame, (error) => error ?? setImmediate(write));
      else
        socket.write(withLength ? '' : '0\r\n\r\n', () => {
          whole = true;
          settle();
        });
    };
    write();
  });
}

describe('a response to a body that is too long reaches the client that is still sending it', () => {
  it.each([
    ['API', '/api/auth/sign-in', { 'content-length': String(6 * MEGABYTE) }],
    ['API, no declared length', '/api/auth/sign-in', {}],
    ['web app', '/rpc/auth/signIn', { 'content-length': String(6 * MEGABYTE) }],
    ['web app, no declared length', '/rpc/auth/signIn', {}],
    ['callbacks', '/webhooks/nowpayments', { 'content-length': String(6 * MEGABYTE) }],
    ['callbacks, no declared length', '/webhooks/nowpayments', {}],
    [
      'uploads',
      '/uploads?bucket=token-images',
      { 'content-type': 'image/png', 'content-length': String(6 * MEGABYTE) },
    ],
    ['uploads, no declared length', '/uploads?bucket=token-images', { 'content-type': 'image/png' }],
  ])('%s', async (_, path, headers) => {
    for (const connection of ['close', 'keep-alive'])
      expect(await send(path, 6, { ...headers, cookie: person.cookie, connection })).toBe(413);
  });
});
