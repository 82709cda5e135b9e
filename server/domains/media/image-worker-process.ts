import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { failure } from '#server/lib/errors/fail.ts';
import type { Rendering, SourceImage } from './encode-image.ts';
import type { WorkerMessage } from './image-worker.ts';
import { UploadRefused } from './media.policy.ts';

/** Timeout of one image, and of the start of the process. Milliseconds. */
const TIMEOUT_MS = 30_000;
const START_TIMEOUT_MS = 30_000;
/** Memory limit of the process. Bytes. */
const MAX_MEMORY = 640 * 1024 * 1024;
/** Idle time after which a process is stopped. Milliseconds. */
const IDLE_MS = 60_000;

interface Options {
  /** Path of another program, for tests. */
  program?: string;
  timeoutMs?: number;
  maxMemory?: number;
}

type Ending = { message: WorkerMessage } | { ended: 'late' | 'gone' };

/**
 * Encodes images in child processes, which are started on demand, stopped after an idle minute, and killed on a timeout, which is
 * the only way to cancel work on an image. The caller limits the concurrency.
 *
 * Rejects with:
 * @throws UploadRefused also when the image crashed the process.
 * @throws BUSY on a timeout.
 */
export function createImageWorker(options: Options = {}): (image: SourceImage) => Promise<Rendering> {
  const { timeoutMs = TIMEOUT_MS, maxMemory = MAX_MEMORY } = options;
  const program = options.program ?? path.join(process.cwd(), 'server/domains/media/image-worker.ts');
  const idle: { child: ChildProcess; end: NodeJS.Timeout }[] = [];

  function start(): ChildProcess {
    // The process does not get our environment with its secrets. It runs under the same account: an exploited decoder could read
    // files of DATA_DIR, and our environment by way of the system.
    const { PATH, NODE_ENV } = process.env;
    const child = fork(program, [String(maxMemory)], {
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...(PATH ? { PATH } : {}), ...(NODE_ENV ? { NODE_ENV } : {}) },
    });
    // Neither prevents this process from exiting; a pending image has a timer that does.
    child.unref();
    child.channel?.unref();
    child.on('error', () => {});
    return child;
  }

  async function ready(): Promise<ChildProcess> {
    for (;;) {
      const stored = idle.pop();
      if (!stored) break;
      clearTimeout(stored.end);
      if (stored.child.connected) return stored.child;
    }
    const child = start();
    const ending = await nextMessage(child, START_TIMEOUT_MS);
    if ('message' in ending) return child;
    child.kill('SIGKILL');
    if (ending.ended === 'late') throw failure('BUSY', { retryAfter: 10 });
    throw new Error('The process that encodes images does not start');
  }

  function keep(child: ChildProcess): void {
    const end = setTimeout(() => {
      idle.splice(
        idle.findIndex((one) => one.child === child),
        1,
      );
      child.disconnect();
    }, IDLE_MS).unref();
    idle.push({ child, end });
  }

  return async (image) => {
    const child = await ready();
    const answer = nextMessage(child, timeoutMs);
    child.send(image, () => {});
    const ending = await answer;
    if ('message' in ending) {
      keep(child);
      return renderingOf(ending.message);
    }
    child.kill('SIGKILL');
    if (ending.ended === 'late') throw failure('BUSY', { retryAfter: 10 });
    throw new UploadRefused('IMAGE_REFUSED', 'The decoder ended');
  };
}

/** Waits for the next message of a process, or its exit. */
function nextMessage(child: ChildProcess, timeoutMs: number): Promise<Ending> {
  return new Promise((resolve) => {
    const settle = (ending: Ending) => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', gone).off('error', gone);
      resolve(ending);
    };
    const onMessage = (message: unknown) => settle({ message: message as WorkerMessage });
    const gone = () => settle({ ended: 'gone' });
    const timer = setTimeout(() => settle({ ended: 'late' }), timeoutMs);
    child.on('message', onMessage).on('exit', gone).on('error', gone);
    if (child.exitCode !== null || child.signalCode !== null) gone();
  });
}

/** @throws UploadRefused, BUSY, and Error for an unexpected failure. */
function renderingOf(message: WorkerMessage): Rendering {
  if ('encoded' in message) return message.encoded;
  if ('refused' in message)
    throw new UploadRefused(message.refused, message.reason, message.detail && new Error(message.detail));
  if ('tooSlow' in message) throw failure('BUSY', { retryAfter: 10 });
  throw new Error('failed' in message ? message.failed : 'The process that encodes images said something else');
}
