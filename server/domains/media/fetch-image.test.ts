import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { IMAGE } from '#contract/domains/media.ts';
import { isPublicAddress } from '#server/lib/network/guarded-fetch.ts';
import { createImageFetcher, type ImageFetcher } from './fetch-image.ts';

/** The handler of the other site; each test sets its behaviour. */
let answer: (req: IncomingMessage, res: ServerResponse) => void = (_req, res) => res.end('image');
let requests = 0;
const server = http.createServer((req, res) => {
  requests++;
  answer(req, res);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const here = async () => [{ address: '127.0.0.1', family: 4 }];
/** Without TLS, to this machine: everything else is as in production. */
const plain = http.request as unknown as NonNullable<Parameters<typeof createImageFetcher>[0]>['request'];
const reach = (means: Parameters<typeof createImageFetcher>[0] = {}): ImageFetcher =>
  createImageFetcher({ resolve: here, isPublic: () => true, request: plain as never, port, ...means });
const fault = (why: string) => ({ name: 'ImageNotFetched', why });

describe('addresses that are refused before a request', () => {
  const request = vi.fn(() => {
    throw new Error('connected');
  });
  const guarded = (addresses: string[]) =>
    createImageFetcher({
      resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      request: request as never,
    });

  it.each([
    'http://example.com/a.png',
    'ftp://example.com/a.png',
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    'gopher://example.com/_x',
    'https://user:secret@example.com/a.png',
    'https://example.com:8443/a.png',
    'https://example.com:22/a.png',
    'https://',
    '//example.com/a.png',
    '/media/a.webp',
    'nonsense',
    '',
    `https://example.com/${'a'.repeat(3_000)}`,
  ])('include %s', async (url) => {
    await expect(guarded(['93.184.216.34'])(url)).rejects.toMatchObject(fault('address'));
    expect(request).not.toHaveBeenCalled();
  });

  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.0.0.1/',
    'https://0177.0.0.1/',
    'https://0/',
    'https://10.0.0.8/',
    'https://172.31.255.255/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://255.255.255.255/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a00:1]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:7f00:1::]/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://[fec0::1]/',
    'https://[ff02::1]/',
    'https://[::7f00:1]/',
    'https://①②⑦.⓪.⓪.①/',
  ])('include the private address %s', async (url) => {
    await expect(guarded([])(url)).rejects.toMatchObject(fault('private'));
    expect(request).not.toHaveBeenCalled();
  });

  it.each([
    [['127.0.0.1']],
    [['169.254.169.254']],
    [['::1']],
    [['::ffff:10.0.0.1']],
    // One public address does not compensate for a private one.
    [['93.184.216.34', '10.0.0.1']],
    [['93.184.216.34', 'fd00::1']],
    [['not an address']],
  ])('include a name that resolves to %j', async (addresses) => {
    await expect(guarded(addresses)('https://attacker.example/a.png')).rejects.toMatchObject(fault('private'));
    expect(request).not.toHaveBeenCalled();
  });

  it('include a name that does not resolve', async () => {
    await expect(guarded([])('https://nowhere.example/')).rejects.toMatchObject(fault('unreachable'));
    const broken = createImageFetcher({ resolve: () => Promise.reject(new Error('ENOTFOUND')) });
    await expect(broken('https://nowhere.example/')).rejects.toMatchObject(fault('unreachable'));
  });

  it.each([
    ['93.184.216.34', true],
    ['8.8.8.8', true],
    ['223.255.255.255', true],
    ['2606:4700::1111', true],
    ['224.0.0.1', false],
    ['198.19.0.1', false],
    ['203.0.113.9', false],
    ['2001:db8::1', false],
    ['::ffff:8.8.8.8', false],
    ['', false],
  ])('depend on isPublicAddress(%s): %s', (address, is) => expect(isPublicAddress(address)).toBe(is));
});

describe('the connection', () => {
  it('is made to the checked address: the name is resolved only once', async () => {
    answer = (req, res) => res.end(`host ${req.headers.host}`);
    const resolve = vi.fn(here);
    const checked: string[] = [];
    const isPublic = (address: string) => {
      checked.push(address);
      return true;
    };
    const bytes = await reach({ resolve, isPublic })('https://rebinding.example/a.png?b=1');
    expect(bytes.toString()).toBe('host rebinding.example');
    expect(resolve).toHaveBeenCalledTimes(1);
    // Checked before the connection, and again for the connected socket.
    expect(checked).toEqual(['127.0.0.1', '127.0.0.1']);
  });

  it('is closed when the address of the connected socket is not allowed', async () => {
    let looked = 0;
    const isPublic = () => ++looked === 1;
    await expect(reach({ isPublic })('https://a.example/')).rejects.toMatchObject(fault('private'));
  });

  it('uses TLS', async () => {
    // A plain server can't answer a handshake.
    const secure = createImageFetcher({ resolve: here, isPublic: () => true, port });
    const before = requests;
    await expect(secure('https://a.example/')).rejects.toMatchObject(fault('unreachable'));
    expect(requests).toBe(before);
  });

  it('sends only the necessary headers, and returns no cookie', async () => {
    let seen: IncomingMessage['headers'] = {};
    answer = (req, res) => {
      seen = req.headers;
      res.setHeader('set-cookie', 'a=b').end('x');
    };
    await reach()('https://a.example/');
    await reach()('https://a.example/');
    expect(Object.keys(seen).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
  });

  it.each([301, 302, 303, 307, 308])('follows no redirect (%i)', async (status) => {
    const before = requests;
    answer = (_req, res) => res.writeHead(status, { location: 'https://169.254.169.254/' }).end();
    await expect(reach()('https://a.example/')).rejects.toMatchObject(fault('redirect'));
    expect(requests).toBe(before + 1);
  });

  it.each([204, 206, 400, 404, 500])('refuses the status %i', async (status) => {
    answer = (_req, res) => res.writeHead(status).end();
    await expect(reach()('https://a.example/')).rejects.toMatchObject(fault('unreachable'));
  });

  it('refuses a compressed response, since a small file may expand to a huge one', async () => {
    answer = (_req, res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
    await expect(reach()('https://a.example/')).rejects.toMatchObject(fault('type'));
  });
});

describe('the limits of size and time', () => {
  it('accept 5 MB and refuse a byte more, announced in Content-Length or not', async () => {
    answer = (_req, res) => res.end(Buffer.alloc(IMAGE.maxBytes));
    expect(await reach()('https://a.example/')).toHaveLength(IMAGE.maxBytes);
    answer = (_req, res) => res.writeHead(200, { 'content-length': IMAGE.maxBytes + 1 }).flushHeaders();
    await expect(reach()('https://a.example/')).rejects.toMatchObject(fault('large'));
    answer = (_req, res) => {
      res.write(Buffer.alloc(IMAGE.maxBytes));
      res.end('x');
    };
    await expect(reach()('https://a.example/')).rejects.toMatchObject(fault('large'));
  });

  it('end the connection of an endless file as soon as it is too large', async () => {
    let gone = false;
    answer = (_req, res) => {
      res.on('close', () => {
        gone = true;
      });
      const more = () => {
        while (!gone && res.write(Buffer.alloc(64 * 1024)));
        if (!gone) res.once('drain', more);
      };
      more();
    };
    await expect(reach()('https://a.example/')).rejects.toMatchObject(fault('large'));
    await expect.poll(() => gone).toBe(true);
  });

  it.each<[string, typeof answer]>([
    ['never answers', () => {}],
    [
      'sends one byte after the other',
      (_req, res) => {
        const drip = setInterval(() => res.write('x'), 20);
        res.on('close', () => clearInterval(drip));
      },
    ],
  ])('give a site that %s a fixed time in total', async (_what, slow) => {
    answer = slow;
    await expect(reach({ timeoutMs: 150 })('https://a.example/')).rejects.toMatchObject(fault('slow'));
  });

  it('give name resolution a fixed time', async () => {
    const resolve = () => new Promise<never>(() => {});
    await expect(reach({ timeoutMs: 50, resolve })('https://a.example/')).rejects.toMatchObject(fault('slow'));
  });

  it('refuse a truncated file', async () => {
    answer = (_req, res) => {
      res.writeHead(200, { 'content-length': 100 });
      res.write('half');
      setTimeout(() => res.destroy(), 20);
    };
    await expect(reach()('https://a.example/')).rejects.toMatchObject(fault('unreachable'));
  });
});
