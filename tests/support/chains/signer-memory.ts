import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import type { SignerMemory } from '#server/domains/token-creation/signer-memory.service.ts';
import { openMemory } from '#server/signer/memory.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** The memory of a signer that never signed anything, in a folder that is removed with the test file. */
export function freshMemory(): SignerMemory {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'florka-signer-memory-'));
  folders.push(folder);
  return openMemory(folder);
}
