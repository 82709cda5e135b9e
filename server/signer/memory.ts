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

/** True for the error of a file that already exists. */
const isThere = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST';
const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/**
 * State of the signer in its own folder: `deposits/of-<number>` contains the request that a deposit paid for,
 * `days/<network> <day>/<request>` exists for a first signature, `audit.json` is the newest verified entry of the audit
 * log. Each file is written atomically, so that several processes and power failures leave no incomplete one.
 *
 * The errors of its functions have no system code, so that a folder that disappears while the signer runs is not mistaken for an unreachable
 * database, which the signer waits for without a limit.
 *
 * @throws StartError when the folder cannot be written.
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
      `SIGNER_STATE_DIR: ${folder} cannot be written (${(error as NodeJS.ErrnoException).code}): the signer records there what it has signed.`,
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

  const guarded =
    <Input extends unknown[], Output>(work: (...input: Input) => Output) =>
    (...input: Input): Output => {
      try {
        return work(...input);
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
        throw new Error(`The signer's folder ${folder} cannot be used: ${code}`);
      }
    };

  return {
    usedOn: guarded(usedOn),
    isFree: guarded(isFree),
    spend: guarded(({ network, requestId, deposits: ids, day, cap }) => {
      if (usedOn(network, day, requestId) >= cap) return 'cap_reached';
      if (ids.some((id) => !isFree(id, requestId))) return 'payment_elsewhere';
      for (const id of ids) {
        put(fileOf(id), requestId);
        // Another process may have written the file first.
        if (requestOf(id) !== requestId) return 'payment_elsewhere';
      }
      mkdirSync(dayFolder(network, day), { recursive: true, mode: 0o700 });
      put(path.join(dayFolder(network, day), encodeURIComponent(requestId)), '');
      return null;
    }),
    get audit() {
      return audit;
    },
    rememberAuditEntry: guarded((seen) => {
      put(auditFile, `${JSON.stringify(seen)}\n`, false, true);
      audit = seen;
    }),
  };
}

/** @throws StartError when the file has another content: a person has to find out who changed it. */
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
  throw new StartError(`${file} was not written by the signer.`);
}

/**
 * Writes a file atomically and durably. An existing one is not changed, unless `over`; with `thenRemove` the file is
 * removed again.
 */
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
