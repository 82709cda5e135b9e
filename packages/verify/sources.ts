// Sources of a ledger for the command: a URL, or a folder with the same files.
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fetchWithBackoff } from './http.ts';
import type { Source } from './log.ts';
import type { Sha256 } from './sha256.ts';

/** Maximum size of a file: a bundle of 256 entries of at most 65,535 bytes each. */
const MAX_BYTES = 20_000_000;

/** Node's own SHA-256, several times as fast as the one for browsers. */
export const nodeSha256: Sha256 = (bytes) => hash('sha256', bytes, 'buffer');

/** @param address URL prefix of a ledger over HTTP, or a folder. */
export function openSource(address: string): Source {
  return /^https?:\/\//.test(address) ? overHttp(address) : inFolder(address);
}

/** @throws Error for a response that is neither the file nor 404. */
function overHttp(address: string): Source {
  const prefix = address.endsWith('/') ? address : `${address}/`;
  return async (name) => {
    const response = await fetchWithBackoff(new URL(name, prefix), () => ({
      signal: AbortSignal.timeout(30_000),
      redirect: 'follow',
    }));
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
