import { once } from 'node:events';
import fs from 'node:fs/promises';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
// @ts-expect-error: has no types.
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StartError } from '#server/lib/errors/start-error.ts';
import { type DiskCalls, localStorage } from './local.ts';
import { openStorage } from './open.ts';
import { type Storage, StorageError } from './port.ts';
import { type S3Options, s3Storage } from './s3.ts';

let root: string;
let s3: { run: () => Promise<AddressInfo>; close: () => Promise<void> };
let s3Options: S3Options;

beforeAll(async () => {
  root = await fs.mkdtemp(path.join(os.tmpdir(), 'florka-storage-'));
  s3 = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: path.join(root, 's3'),
    configureBuckets: [{ name: 'florka' }],
  });
  const { port } = await s3.run();
  s3Options = {
    endpoint: `http://127.0.0.1:${port}`,
    bucket: 'florka',
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    forcePathStyle: true,
  };
});
afterAll(async () => {
  await s3.close();
  await fs.rm(root, { recursive: true, force: true });
});

const BYTES = Buffer.from('some bytes\0and more');
const read = async (storage: Storage, file: string) => {
  const found = await storage.open(file);
  return found && { bytes: found.bytes, content: await buffer(await found.stream()) };
};
async function namesIn(storage: Storage, ...where: Parameters<Storage['list']>): Promise<string[]> {
  const names: string[] = [];
  for await (const { file } of storage.list(...where)) names.push(file);
  return names.sort();
}

const KINDS: [kind: string, make: () => Storage][] = [
  ['the disk', () => localStorage(path.join(root, 'disk'))],
  ['S3', () => s3Storage(s3Options)],
];

describe.each(KINDS)('%s', (_, make) => {
  let storage: Storage;
  beforeAll(() => {
    storage = make();
  });
  afterAll(() => storage.close());

  it('returns a stored file until it is removed', async () => {
    await storage.write('a.webp', BYTES, 'image/webp');
    expect(await read(storage, 'a.webp')).toEqual({ bytes: BYTES.length, content: BYTES });
    await storage.write('a.webp', Buffer.from('new'), 'image/webp');
    expect((await read(storage, 'a.webp'))?.content.toString()).toBe('new');
    await storage.remove('a.webp');
    await storage.remove('a.webp');
    expect(await storage.open('a.webp')).toBeNull();
  });

  it('stores a large file completely', async () => {
    const large = Buffer.alloc(6_000_000, 7);
    await storage.write('large.webp', large, 'image/webp');
    expect((await read(storage, 'large.webp'))?.content.equals(large)).toBe(true);
    await storage.remove('large.webp');
  });

  it('lists its files with their times', async () => {
    const before = Date.now() - 2_000;
    for (const file of ['b.webp', 'c.png']) await storage.write(file, BYTES, 'image/png');
    const found = [];
    for await (const entry of storage.list()) found.push(entry);
    expect(found.map(({ file }) => file).sort()).toEqual(['b.webp', 'c.png']);
    for (const { changedAt } of found) expect(changedAt.getTime()).toBeGreaterThan(before);
    for (const { file } of found) await storage.remove(file);
    expect(await namesIn(storage)).toEqual([]);
  });

  it('lists one folder without those below it, in the order of names', async () => {
    for (const file of ['b.webp', 'a.webp', 'folder/c.webp', 'folder/deeper/d.webp'])
      await storage.write(file, BYTES, 'image/webp');
    const names = async (...where: Parameters<Storage['list']>) => {
      const found = [];
      for await (const { file } of storage.list(...where)) found.push(file);
      return found;
    };
    expect(await names('/', { flat: true })).toEqual(['a.webp', 'b.webp']);
    expect(await names('folder/', { flat: true })).toEqual(['folder/c.webp']);
    expect(await names('folder/')).toEqual(['folder/c.webp', 'folder/deeper/d.webp']);
    expect(await names('nowhere/', { flat: true })).toEqual([]);
    for (const file of await names()) await storage.remove(file);
  });

  it.each(['../outside', '../../etc/passwd', '/../outside', 'a\0.png', '..\\outside'])(
    'refuses the name %j, which is outside its folder',
    async (file) => {
      await expect(storage.write(file, BYTES, 'image/png')).rejects.toMatchObject({ name: 'StorageError' });
      await expect(storage.open(file)).rejects.toMatchObject({ name: 'StorageError' });
      await expect(storage.remove(file)).rejects.toMatchObject({ name: 'StorageError' });
      expect(await fs.readdir(root)).not.toContain('outside');
    },
  );
});

/** A minimal S3 for what s3rver lacks: lists in pages, and checking keys. */
async function fakeS3(answer: (url: URL) => { status: number; body: string }) {
  const server = http.createServer((req, res) => {
    req.resume();
    const { status, body } = answer(new URL(req.url ?? '/', 'http://fake'));
    res.writeHead(status, { 'content-type': 'application/xml' }).end(req.method === 'HEAD' ? undefined : body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const storage = s3Storage({ ...s3Options, endpoint: `http://127.0.0.1:${port}` });
  return {
    storage,
    close: () => {
      storage.close();
      server.close();
    },
  };
}

describe('files of other programs, with names that ours never have', () => {
  const NAMES = ['copia (1).webp', 'a@b.webp', '.hidden.webp', 'año.webp'];
  const all = async (storage: Storage) => [await namesIn(storage), await namesIn(storage, '/', { flat: true })];

  it('are left out of the list of a folder', async () => {
    const dir = await fs.mkdtemp(path.join(root, 'others-'));
    const storage = localStorage(dir);
    for (const file of ['a.webp', 'z.webp']) await storage.write(file, BYTES, 'image/webp');
    for (const name of NAMES) await fs.writeFile(path.join(dir, 'files', name), 'x');
    expect(await all(storage)).toEqual([
      ['a.webp', 'z.webp'],
      ['a.webp', 'z.webp'],
    ]);
  });

  it('are left out of the list of a bucket', async () => {
    const { storage, close } = await fakeS3(() => ({
      status: 200,
      body: `<ListBucketResult><IsTruncated>false</IsTruncated>${['a.webp', ...NAMES, 'folder/', 'z.webp']
        .map(
          (name) =>
            `<Contents><Key>${name}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><Size>1</Size></Contents>`,
        )
        .join('')}</ListBucketResult>`,
    }));
    expect(await all(storage)).toEqual([
      ['a.webp', 'z.webp'],
      ['a.webp', 'z.webp'],
    ]);
    close();
  });
});

describe('the list of S3', () => {
  it('is read through all its pages', async () => {
    const requested: (string | null)[] = [];
    const { storage, close } = await fakeS3(({ searchParams }) => {
      const token = searchParams.get('continuation-token');
      requested.push(token);
      const name = { first: 'b.webp', second: 'c.webp' }[token ?? ''] ?? 'a.webp';
      const next = { first: 'second', second: '' }[token ?? ''] ?? 'first';
      return {
        status: 200,
        body: `<ListBucketResult><IsTruncated>${next !== ''}</IsTruncated>
          <Contents><Key>${name}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><Size>1</Size></Contents>
          ${next && `<NextContinuationToken>${next}</NextContinuationToken>`}</ListBucketResult>`,
      };
    });
    expect(await namesIn(storage)).toEqual(['a.webp', 'b.webp', 'c.webp']);
    expect(requested).toEqual([null, 'first', 'second']);
    close();
  });
});

describe('the list of S3, of one folder', () => {
  it('leaves out folders below it, and requests a page when it is needed', async () => {
    const requested: [string | null, string | null][] = [];
    const { storage, close } = await fakeS3(({ searchParams }) => {
      requested.push([searchParams.get('delimiter'), searchParams.get('continuation-token')]);
      const first = requested.length === 1;
      return {
        status: 200,
        body: `<ListBucketResult><IsTruncated>${first}</IsTruncated>
          <Contents><Key>${first ? 'a' : 'b'}.webp</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><Size>1</Size></Contents>
          <CommonPrefixes><Prefix>ledger/</Prefix></CommonPrefixes>
          ${first ? '<NextContinuationToken>more</NextContinuationToken>' : ''}</ListBucketResult>`,
      };
    });
    const names = storage.list('/', { flat: true })[Symbol.asyncIterator]();
    expect((await names.next()).value).toMatchObject({ file: 'a.webp' });
    expect(requested).toEqual([['/', null]]);
    expect((await names.next()).value).toMatchObject({ file: 'b.webp' });
    expect((await names.next()).done).toBe(true);
    expect(requested).toEqual([
      ['/', null],
      ['/', 'more'],
    ]);
    close();
  });
});

describe('a failing S3', () => {
  it.each([
    [403, 'SignatureDoesNotMatch', 'down'],
    [500, 'InternalError', 'down'],
    [507, 'XMinioStorageFull', 'full'],
    [400, 'QuotaExceeded', 'full'],
  ])('with %i %s is %s', async (status, code, reason) => {
    const body = `<Error><Code>${code}</Code><Message>no</Message></Error>`;
    const { storage, close } = await fakeS3(() => ({ status, body }));
    await expect(storage.write('a.webp', BYTES, 'image/webp')).rejects.toMatchObject({ name: 'StorageError', reason });
    await expect(storage.open('a.webp')).rejects.toMatchObject({ name: 'StorageError' });
    close();
  });

  it('is down when it refuses connections, and when the bucket does not exist', async () => {
    for (const broken of [{ endpoint: 'http://127.0.0.1:1' }, { bucket: 'no-such-bucket' }]) {
      const storage = s3Storage({ ...s3Options, ...broken });
      await expect(storage.write('a.webp', BYTES, 'image/webp')).rejects.toMatchObject({ reason: 'down' });
      // Not taken for an empty one: all files would be missing.
      await expect(namesIn(storage)).rejects.toMatchObject({ reason: 'down' });
      storage.close();
    }
  });

  it('is down when it accepts connections and never responds', async () => {
    const silent = net.createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const storage = s3Storage({
      ...s3Options,
      endpoint: `http://127.0.0.1:${port}`,
      timeouts: { connect: 200, answer: 200 },
    });
    await expect(storage.write('a.webp', BYTES, 'image/webp')).rejects.toMatchObject({ reason: 'down' });
    storage.close();
    silent.close();
  });

  it('never discloses its keys', async () => {
    const storage = s3Storage({ ...s3Options, endpoint: 'http://127.0.0.1:1', secretAccessKey: 'very-secret' });
    expect(storage.target).toBe('http://127.0.0.1:1/florka');
    const error = await storage.write('a.webp', BYTES, 'image/webp').catch((fault: unknown) => fault);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('very-secret');
    storage.close();
  });
});

describe('a failing disk', () => {
  /** Fails at one of the calls after the temporary file is open. */
  function failing(at: 'write' | 'sync' | 'folder' | 'rename', code: string): DiskCalls {
    const fault = () => Object.assign(new Error(code), { code });
    return {
      async open(file, flags, mode) {
        const handle = await fs.open(file, flags, mode);
        const folder = flags === 'r';
        if (at === 'write' && !folder)
          handle.writeFile = async (data) => {
            await handle.write((data as Buffer).subarray(0, 4));
            throw fault();
          };
        if ((at === 'sync' && !folder) || (at === 'folder' && folder))
          handle.sync = async () => Promise.reject(fault());
        return handle;
      },
      rename: at === 'rename' ? async () => Promise.reject(fault()) : fs.rename,
    };
  }

  it.each([
    ['full in the middle of the file', 'write', 'ENOSPC', 'full'],
    ['over its quota', 'write', 'EDQUOT', 'full'],
    ['unable to sync the file', 'sync', 'EIO', 'down'],
    ['full while the file is synced', 'sync', 'ENOSPC', 'full'],
    ['unable to rename the file', 'rename', 'EIO', 'down'],
    ['unable to sync the folder', 'folder', 'EIO', 'down'],
  ] as const)('%s: reports the error and leaves no files', async (_, at, code, reason) => {
    const dir = await fs.mkdtemp(path.join(root, 'trouble-'));
    const storage = localStorage(dir, failing(at, code));
    await expect(storage.write('a.webp', BYTES, 'image/webp')).rejects.toMatchObject({ name: 'StorageError', reason });
    expect(await fs.readdir(path.join(dir, 'files'))).toEqual([]);
    expect(await fs.readdir(path.join(dir, 'parts'))).toEqual([]);
    // It works again afterwards.
    const well = localStorage(dir);
    await well.write('a.webp', BYTES, 'image/webp');
    expect((await read(well, 'a.webp'))?.content).toEqual(BYTES);
    // An existing file remains complete when it cannot be replaced.
    await expect(storage.write('a.webp', Buffer.from('new'), 'image/webp')).rejects.toThrow(StorageError);
    expect((await read(well, 'a.webp'))?.content).toEqual(at === 'folder' ? Buffer.from('new') : BYTES);
  });

  it('keeps an existing file that cannot be replaced', async () => {
    const dir = await fs.mkdtemp(path.join(root, 'before-'));
    await localStorage(dir).write('ledger/checkpoint', BYTES, 'text/plain');
    for (const at of ['write', 'sync', 'rename'] as const)
      await expect(
        localStorage(dir, failing(at, 'ENOSPC')).write('ledger/checkpoint', Buffer.from('new'), 'text/plain'),
      ).rejects.toMatchObject({ reason: 'full' });
    expect((await read(localStorage(dir), 'ledger/checkpoint'))?.content).toEqual(BYTES);
  });

  it('leaves an incomplete file of an ended process, which is not listed and deleted later', async () => {
    const dir = await fs.mkdtemp(path.join(root, 'died-'));
    const storage = localStorage(dir);
    const part = path.join(dir, 'parts', 'a.webp.0123456789ab');
    await fs.writeFile(part, 'half');
    expect(await storage.open('a.webp')).toBeNull();
    expect(await namesIn(storage)).toEqual([]);
    expect(await storage.sweep(new Date(Date.now() - 60_000))).toBe(0);
    expect(await storage.sweep(new Date(Date.now() + 60_000))).toBe(1);
    expect(await fs.readdir(path.join(dir, 'parts'))).toEqual([]);
  });

  it('gets its folders created again if they were removed', async () => {
    const dir = await fs.mkdtemp(path.join(root, 'gone-'));
    const storage = localStorage(dir);
    await fs.rm(dir, { recursive: true });
    await storage.write('a.webp', BYTES, 'image/webp');
    expect((await read(storage, 'a.webp'))?.content).toEqual(BYTES);
  });

  it('fails at the start if its folder cannot be created', async () => {
    const file = path.join(root, 'a-file');
    await fs.writeFile(file, '');
    expect(() => localStorage(path.join(file, 'uploads'))).toThrow(StartError);
  });
});

describe('the configuration', () => {
  it('determines the storage', async () => {
    const base = { DATA_DIR: path.join(root, 'data'), S3_REGION: 'us-east-1', S3_FORCE_PATH_STYLE: true };
    const local = await openStorage(base);
    expect(local.target).toBe(path.join(root, 'data', 'uploads'));
    const remote = await openStorage({
      ...base,
      S3_ENDPOINT: s3Options.endpoint,
      S3_BUCKET: 'florka',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    });
    expect(remote.target).toBe(`${s3Options.endpoint}/florka`);
    await remote.write('d.webp', BYTES, 'image/webp');
    expect((await read(remote, 'd.webp'))?.content).toEqual(BYTES);
    remote.close();
  });
});
