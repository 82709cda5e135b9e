import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import fs, { type FileHandle } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { UPLOAD_PACE } from '#contract/domains/media.ts';
import { UploadRefused } from '#server/domains/media/media.policy.ts';
import { failure } from '#server/lib/errors/fail.ts';
import { explainWriteError } from '#server/lib/errors/start-error.ts';
import { StorageError } from '#server/providers/storage/port.ts';

/** Age at which a file in the folder is considered abandoned: no upload takes nearly as long. Milliseconds. */
const LEFTOVER_MS = 10 * 60_000;
/** Interval at which the progress of a body is checked. Milliseconds. */
const POLL_MS = 500;

/** The client disconnected before the end; no response is needed. */
export class ClientDisconnected extends Error {}

/** A completely received body. */
export interface SpooledBody {
  bytes: number;
  /** @throws StorageError */
  read(): Promise<Buffer>;
  /** Deletes the file and releases its bytes. */
  drop(): Promise<void>;
}

/** Bytes that the spool may still take for one kind of client. */
export interface SpoolRoom {
  left: number;
}

export interface Spool {
  /**
   * Receives the body of a request into a file.
   *
   * @param maxBytes of this body.
   * @throws UploadRefused when the body is too long or too slow. @throws BUSY when the spool is full.
   * @throws StorageError, ClientDisconnected
   */
  receive(req: IncomingMessage, maxBytes: number, room: SpoolRoom): Promise<SpooledBody>;
}

/** True if a body arrives so slowly that it only occupies a slot. @param elapsed milliseconds since its start. */
export function isTooSlow(elapsed: number, bytes: number): boolean {
  const { maxSeconds, graceSeconds, bytesPerSecond } = UPLOAD_PACE;
  return elapsed >= maxSeconds * 1_000 || bytes < (elapsed / 1_000 - graceSeconds) * bytesPerSecond;
}

/**
 * Opens a folder for incomplete bodies, so that slow clients use disk space instead of memory. A file is unlinked as
 * soon as it is open, so nothing remains however this process ends; files left by a crash in between are deleted here.
 *
 * @param tooSlow replaces the check of a body's progress, for tests.
 * @throws StartError when the folder cannot be created.
 */
export function openSpool(folder: string, tooSlow = isTooSlow): Spool {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    removeLeftovers(folder);
  } catch (error) {
    throw explainWriteError(error, folder);
  }
  return {
    async receive(req, maxBytes, room) {
      const file = await openNameless(folder);
      const charge = { bytes: 0 };
      const drop = async () => {
        room.left += charge.bytes;
        charge.bytes = 0;
        await file.close().catch(() => {});
      };
      try {
        await fill(file, req, { maxBytes, room, charge, tooSlow });
      } catch (error) {
        await drop();
        throw error;
      }
      const { bytes } = charge;
      return { bytes, drop, read: () => readAll(file, bytes) };
    },
  };
}

/** Other processes may share the folder, so recent files are not deleted. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found && found.mtimeMs < Date.now() - LEFTOVER_MS) rmSync(file, { force: true });
  }
}

async function openNameless(folder: string): Promise<FileHandle> {
  const name = path.join(folder, randomBytes(16).toString('hex'));
  try {
    const file = await fs.open(name, 'wx+', 0o600);
    await fs.unlink(name).catch(async (error: unknown) => {
      await file.close();
      throw error;
    });
    return file;
  } catch (error) {
    throw new StorageError(error);
  }
}

interface Filling {
  maxBytes: number;
  room: SpoolRoom;
  /** Bytes taken from `room`. */
  charge: { bytes: number };
  tooSlow: typeof isTooSlow;
}

/** Writes one chunk at a time: the client is paused while the disk is busy. */
function fill(file: FileHandle, req: IncomingMessage, { maxBytes, room, charge, tooSlow }: Filling): Promise<void> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    let written = Promise.resolve();
    const settle = (settleWith: () => void) => {
      clearInterval(poll);
      req.off('data', collect).off('end', whole).off('close', gone);
      // A write in progress must not use a closed file.
      void written.catch(() => {}).then(settleWith);
    };
    const stop = (error: Error) => settle(() => reject(error));
    const collect = (chunk: Buffer) => {
      if (charge.bytes + chunk.length > maxBytes) return stop(new UploadRefused('FILE_TOO_LARGE'));
      if (chunk.length > room.left) return stop(failure('BUSY', { retryAfter: 5 }));
      room.left -= chunk.length;
      charge.bytes += chunk.length;
      req.pause();
      written = written.then(() => file.writeFile(chunk));
      written.then(
        () => req.resume(),
        (error: unknown) => stop(new StorageError(error)),
      );
    };
    const whole = () => settle(() => written.then(resolve, (error: unknown) => reject(new StorageError(error))));
    const gone = () => stop(new ClientDisconnected());
    const poll = setInterval(() => {
      if (tooSlow(performance.now() - began, charge.bytes)) stop(new UploadRefused('TOO_SLOW'));
    }, POLL_MS);
    req.on('data', collect).on('end', whole).on('close', gone);
    if (req.destroyed && !req.complete) gone();
  });
}

async function readAll(file: FileHandle, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes);
  try {
    for (let at = 0; at < bytes; ) {
      const { bytesRead } = await file.read(buffer, at, bytes - at, at);
      if (bytesRead === 0) throw new Error(`${at} of ${bytes} bytes`);
      at += bytesRead;
    }
    return buffer;
  } catch (error) {
    throw new StorageError(error);
  }
}
