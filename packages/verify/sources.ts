// Sources of a ledger for the command: a URL, or a folder with the same files.
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Source } from './log.ts';
import type { Sha256 } from './sha256.ts';

/** Maximum size of a file: a bundle of 256 entries of at most 65,535 bytes each. */
const MAX_BYTES = 20_000_000;

/** Maximum number of retries per file, and the longest accepted delay in seconds. */
const MAX_WAITS = 5;
const MAX_WAIT_SECONDS = 120;

/** Node's own SHA-256, several times as fast as the one for browsers. */
export const nodeSha256: Sha256 = (bytes) => hash('sha256', bytes, 'buffer');

/** @param address URL prefix of a ledger over HTTP, or a folder. */
export function openSource(address: string): Source {
  return /^https?:\/\//.test(address) ? overHttp(address) : inFolder(address);
}

/** @throws Error for a response that is neither the file nor 404. */
function overHttp(address: string): Source {
  const prefix = address.endsWith('/') ? address : `${address}/`;
  const fetchWithRetries = async (name: string) => {
    for (let waits = 0; ; waits++) {
      const response = await fetch(new URL(name, prefix), { signal: AbortSignal.timeout(30_000), redirect: 'follow' });
      // Reading all of a large ledger exceeds the number of files per minute and address.
      const wait = Number(response.headers.get('retry-after'));
      if (response.status !== 429 || waits >= MAX_WAITS || !(wait > 0 && wait <= MAX_WAIT_SECONDS)) return response;
      await response.arrayBuffer();
      await new Promise((resolve) => setTimeout(resolve, wait * 1_000));
    }
  };
  return async (name) => {
    const response = await fetchWithRetries(name);
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(`${response.url} answered ${response.status}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (bytes.length > MAX_BYTES) throw new Error(`${response.url} is too large`);
    return bytes;
  };
}

function inFolder(folder: string): Source {
  return async (name) => {
    try {
      return await readFile(path.join(folder, name));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return null;
      throw error;
    }
  };
}
