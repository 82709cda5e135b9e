import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { halvesImage } from '#tests/support/samples/images.ts';
import { createImageWorker } from './image-worker-process.ts';

const STUBBORN = path.resolve('tests/support/processes/stubborn-image-worker.ts');
const LONG = 180_000;
const picture = (text: string) => ({ bytes: Buffer.from(text), declared: null });
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it(
  'an image whose decoding never ends is refused, its process is killed, and later ones are encoded',
  async () => {
    const encode = createImageWorker({ program: STUBBORN, timeoutMs: 5_000 });
    const first = await encode(picture('any'));
    await expect(encode(picture('hang'))).rejects.toMatchObject({ code: 'BUSY', status: 503 });
    const second = await encode(picture('any'));
    // The replacement program returns its process id as the width.
    expect(second.width).not.toBe(first.width);
    await expect.poll(() => isAlive(first.width)).toBe(false);
    expect((await encode(picture('any'))).width).toBe(second.width);
  },
  LONG,
);

it(
  'an image that crashes its process is refused, and later ones are encoded',
  async () => {
    const encode = createImageWorker({ program: STUBBORN });
    await expect(encode(picture('crash'))).rejects.toMatchObject({ code: 'IMAGE_REFUSED' });
    expect(await encode(picture('any'))).toMatchObject({ height: 1 });
  },
  LONG,
);

it(
  'an image that needs more memory than a process may have is refused',
  async () => {
    const bytes = await halvesImage().png().toBuffer();
    await expect(createImageWorker({ maxMemory: 1_000_000 })({ bytes, declared: null })).rejects.toMatchObject({
      code: 'IMAGE_REFUSED',
      message: 'The decoder ended',
    });
    expect(await createImageWorker()({ bytes, declared: null })).toMatchObject({ width: 120, height: 80 });
  },
  LONG,
);

it(
  'a worker program that does not start is an internal error',
  async () => {
    const encode = createImageWorker({ program: path.resolve('tests/support/processes/nowhere.ts') });
    await expect(encode(picture('any'))).rejects.toThrow('does not start');
  },
  LONG,
);

it(
  'an image worker whose parent ends before it can start exits without output',
  async () => {
    const child = spawn(process.execPath, ['server/domains/media/image-worker.ts'], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const output: Buffer[] = [];
    child.stderr?.on('data', (chunk: Buffer) => output.push(chunk));
    const ended = Promise.all([once(child, 'exit'), once(child.stderr as Readable, 'end')]);
    child.disconnect();
    const [[, signal]] = await ended;
    expect([signal, Buffer.concat(output).toString()]).toEqual(['SIGKILL', '']);
  },
  LONG,
);
