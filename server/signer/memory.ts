import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import type { SignerMemory } from '#server/domains/token-creation/signer-memory.service.ts';
import { StartError } from '#server/lib/errors/start-error.ts';

/** Of a file that is there already. */
const isThere = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST';
const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/**
 * What a signer remembers, in a folder of its own: `deposits/of-<number>` holds the request that a deposit paid for, `days/<network>
 * <day>/<request>` stands for a first signature, `audit.json` is the newest entry of the audit log that was seen. Each is one file that is
 * there as a whole or not at all, so that several processes and power cuts leave no half of one.
 *
 * @throws StartError when the folder can't be written.
 */
export function openMemory(folder: string): SignerMemory {
  const deposits = path.join(folder, 'deposits');
  const days = path.join(folder, 'days');
  const auditFile = path.join(folder, 'audit.json');
  try {
    for (const one of [deposits, days]) mkdirSync(one, { recursive: true, mode: 0o700 });
    put(path.join(folder, `.writable-${randomUUID()}`), '', true);
  } catch (error) {
    throw new StartError(
      `SIGNER_STATE_DIR: ${folder} can't be written (${(error as NodeJS.ErrnoException).code}): the signer remembers there what it has signed.`,
    );
  }
  let audit = readAudit(auditFile);
  const dayFolder = (network: string, day: string) => path.join(days, `${network} ${day}`);
  const usedOn = (network: string, day: string, exceptRequest: string): number => {
    try {
      return readdirSync(dayFolder(network, day)).filter((name) => !name.startsWith('.') && name !== exceptRequest)
        .length;
    } catch (error) {
      if (isMissing(error)) return 0;
      throw error;
    }
  };
  const fileOf = (depositId: string) => path.join(deposits, `of-${encodeURIComponent(depositId)}`);
  const requestOf = (depositId: string): string | null => {
    try {
      return readFileSync(fileOf(depositId), 'utf8');
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  };
  const isFree = (depositId: string, requestId: string) => [null, requestId].includes(requestOf(depositId));

  return {
    usedOn,
    isFree,
    spend({ network, requestId, deposits: ids, day, cap }) {
      if (usedOn(network, day, requestId) >= cap) return 'cap_reached';
      if (ids.some((id) => !isFree(id, requestId))) return 'payment_elsewhere';
      for (const id of ids) {
        put(fileOf(id), requestId);
        // Another process may have been there first.
        if (requestOf(id) !== requestId) return 'payment_elsewhere';
      }
      mkdirSync(dayFolder(network, day), { recursive: true, mode: 0o700 });
      put(path.join(dayFolder(network, day), encodeURIComponent(requestId)), '');
      return null;
    },
    get audit() {
      return audit;
    },
    noteAudit(seen) {
      put(auditFile, `${JSON.stringify(seen)}\n`, false, true);
      audit = seen;
    },
  };
}

/** @throws StartError when something else stands there: who changed it, a person has to find out. */
function readAudit(file: string): SignerMemory['audit'] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  const { id, hash } = JSON.parse(text) as { id?: unknown; hash?: unknown };
  if (typeof id === 'number' && typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash)) return { id, hash };
  throw new StartError(`${file} is not what the signer wrote.`);
}

/** Writes a file that is there as a whole or not at all, and outlives a power cut. Of one that is there nothing is changed, unless `over`. */
function put(file: string, text: string, thenRemove = false, over = false): void {
  const folder = path.dirname(file);
  const fresh = path.join(folder, `.new-${randomUUID()}`);
  const handle = openSync(fresh, 'wx', 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  if (over) renameSync(fresh, file);
  else {
    try {
      linkSync(fresh, file);
    } catch (error) {
      if (!isThere(error)) throw error;
    } finally {
      rmSync(fresh, { force: true });
    }
  }
  if (thenRemove) rmSync(file, { force: true });
  if (process.platform === 'win32') return;
  const inside = openSync(folder, 'r');
  try {
    fsyncSync(inside);
  } finally {
    closeSync(inside);
  }
}
