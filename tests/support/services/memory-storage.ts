import { Readable } from 'node:stream';
import type { Storage } from '#server/providers/storage/port.ts';

/** Files in memory, for tests that need many storages. */
export function memoryStorage(): Storage & { files: Map<string, Uint8Array> } {
  const files = new Map<string, Uint8Array>();
  return {
    files,
    target: 'memory',
    async write(file, bytes) {
      files.set(file, Uint8Array.from(bytes));
    },
    async open(file) {
      const bytes = files.get(file);
      return bytes ? { bytes: bytes.length, stream: async () => Readable.from([Buffer.from(bytes)]) } : null;
    },
    async remove(file) {
      files.delete(file);
    },
    async *list(folder = '/', { flat = false } = {}) {
      const begin = folder === '/' ? '' : folder;
      for (const file of [...files.keys()].sort())
        if (file.startsWith(begin) && !(flat && file.slice(begin.length).includes('/')))
          yield { file, changedAt: new Date() };
    },
    sweep: async () => 0,
    close: () => {},
  };
}
