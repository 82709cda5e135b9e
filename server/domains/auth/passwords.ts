import { hash, verify } from '@node-rs/argon2';
import { failure } from '#server/lib/fail.ts';

/** OWASP's least for argon2id: 19 MiB, two passes, one lane. */
const ARGON = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Hashes computed at once, and waiting: a flood of sign-ins must not take the processor from everybody else. */
const SLOTS = 2;
const QUEUE = 40;

let running = 0;
const waiting: (() => void)[] = [];

async function inSlot<T>(work: () => Promise<T>): Promise<T> {
  if (running >= SLOTS) {
    if (waiting.length >= QUEUE) throw failure('BUSY', { retryAfter: 2 });
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

/** @throws BUSY when too many hashes wait. */
export const hashPassword = (password: string): Promise<string> =>
  inSlot(() => hash(password.normalize('NFKC'), ARGON));

/** @throws BUSY when too many hashes wait. */
export const verifyPassword = ({ hash: stored, password }: { hash: string; password: string }): Promise<boolean> =>
  inSlot(() => verify(stored, password.normalize('NFKC')));
