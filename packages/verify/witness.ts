// A witness (c2sp.org/tlog-witness): stores the last checkpoint of each known log, and signs only consistent
// continuations.
import { createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { concat, equal, fromBase64, fromText, toHex } from './bytes.ts';
import {
  type Checkpoint,
  cosignedText,
  formatKey,
  formatSignature,
  keyId,
  type Note,
  parseCheckpoint,
  parseNote,
  type VerifierKey,
  verifyNote,
} from './note.ts';
import { nodeSha256 } from './sources.ts';
import { verifyConsistency } from './tree.ts';

export interface WitnessOptions {
  /** Name of the witness, an address without scheme. */
  name: string;
  /** Folder of its key and of the stored checkpoints. */
  folder: string;
  /** Keys of the logs that it signs for. */
  logs: readonly VerifierKey[];
  host: string;
  port: number;
  /** Clock, for tests. */
  now?: () => Date;
}

interface Stored {
  size: number;
  /** The complete note, with the cosignature. */
  note: string;
}

/** Prefix of an Ed25519 key in PKCS #8 before its 32 bytes (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
/** Maximum size of a request: a checkpoint and at most 63 hashes. */
const MAX_BYTES = 64_000;

interface Answer {
  status: number;
  body: string;
  type?: string;
}
const refused = (status: number, body: string): Answer => ({ status, body: `${body}\n` });

/**
 * Starts a witness.
 *
 * @returns its verifier key, which has to be configured at the log, its URL, and a function that stops it.
 */
export async function startWitness(
  options: WitnessOptions,
): Promise<{ key: string; url: string; close: () => Promise<void> }> {
  const { name, folder, logs, now = () => new Date() } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8, readOrMakeSeed(path.join(folder, 'witness-key'))]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = new Uint8Array(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32));
  const own: VerifierKey = { name, type: 4, publicKey, id: keyId(name, 4, publicKey, nodeSha256) };

  const cosign = (note: Note): string => {
    const time = Math.floor(now().getTime() / 1_000);
    const stamp = Buffer.alloc(8);
    stamp.writeBigUInt64BE(BigInt(time));
    const signature = sign(null, Buffer.from(cosignedText(time, note.text)), key);
    return formatSignature({ name, id: own.id, signature: concat([stamp, signature]) });
  };

  // Serialized: between the comparison with the stored checkpoint and storing the new one no other request may run.
  let queue: Promise<unknown> = Promise.resolve();
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const result = queue.then(work);
    queue = result.catch(() => {});
    return result;
  };

  async function addCheckpoint(body: string): Promise<Answer> {
    const requested = parseRequest(body);
    if (!requested) return refused(400, 'this is no request of add-checkpoint');
    const { old, proof, note, checkpoint } = requested;
    const log = logs.find((one) => one.name === checkpoint.origin);
    if (!log) return refused(404, 'unknown log');
    if (!(await verifyNote(note, log)).valid) return refused(403, 'not signed by the log');
    if (old > checkpoint.size) return refused(400, 'the old size is above the new one');
    const file = path.join(folder, `${originHash(checkpoint.origin)}.json`);
    const stored = await readStored(file);
    const before = stored && parseCheckpoint(parseNote(stored.note)?.text ?? '');
    if (stored && !before) throw new Error(`the stored checkpoint of ${log.name} is damaged`);
    if (old !== (before?.size ?? 0)) return { status: 409, body: `${before?.size ?? 0}\n`, type: 'text/x.tlog.size' };
    const empty = nodeSha256(new Uint8Array());
    const continues = verifyConsistency(nodeSha256, {
      from: old,
      to: checkpoint.size,
      oldRoot: before?.root ?? empty,
      newRoot: checkpoint.root,
      proof,
    });
    const isEmpty = checkpoint.size > 0 || equal(checkpoint.root, empty);
    if (!continues || !isEmpty) return refused(422, 'this does not continue what was seen');
    const line = cosign(note);
    const signedByLog = note.signatures
      .filter((one) => one.name === log.name && one.id === log.id)
      .map(formatSignature);
    await keep(file, { size: checkpoint.size, note: `${note.text}\n${signedByLog.join('')}${line}` });
    return { status: 200, body: line };
  }

  async function answer(req: http.IncomingMessage): Promise<Answer> {
    const { pathname } = new URL(req.url ?? '/', 'http://witness');
    if (req.method === 'POST' && pathname === '/add-checkpoint') {
      const body = await readBody(req);
      return body === null ? refused(400, 'the request is too large') : inOrder(() => addCheckpoint(body));
    }
    const requested = /^\/([0-9a-f]{64})\/checkpoint$/.exec(pathname)?.[1];
    if (req.method === 'GET' && requested && logs.some((log) => originHash(log.name) === requested)) {
      const stored = await readStored(path.join(folder, `${requested}.json`));
      if (stored) return { status: 200, body: stored.note };
    }
    return refused(404, 'not found');
  }

  const server = http.createServer((req, res) => {
    answer(req)
      .catch((error: unknown) => {
        console.error(error);
        return refused(500, 'the witness could not keep this');
      })
      .then(({ status, body, type = 'text/plain; charset=utf-8' }) => {
        res.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
      });
  });
  server.requestTimeout = 10_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    key: formatKey(own),
    url: `http://${host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const originHash = (origin: string): string => toHex(nodeSha256(fromText(origin)));

function readOrMakeSeed(file: string): Buffer {
  try {
    writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const text = readFileSync(file, 'utf8').trim();
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error(`The key in ${file} is damaged: restore it.`);
  return Buffer.from(text, 'hex');
}

async function readStored(file: string): Promise<Stored | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Stored;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    // An unreadable file must not be treated as a missing one: then anything would be signed.
    throw error;
  }
}

/** Stores durably before the signature is returned. */
async function keep(file: string, stored: Stored): Promise<void> {
  const handle = await open(`${file}.new`, 'w', 0o600);
  try {
    await handle.writeFile(JSON.stringify(stored));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
  const folder = await open(path.dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function readBody(req: http.IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MAX_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parseRequest(body: string): { old: number; proof: Uint8Array[]; note: Note; checkpoint: Checkpoint } | null {
  const gap = body.indexOf('\n\n');
  const [first = '', ...lines] = body.slice(0, gap).split('\n');
  const old = /^old (0|[1-9]\d{0,14})$/.exec(first)?.[1];
  const note = gap < 0 ? null : parseNote(body.slice(gap + 2));
  const checkpoint = note && parseCheckpoint(note.text);
  const proof = lines.map(fromBase64);
  if (old === undefined || !note || !checkpoint || lines.length > 63 || proof.some((hash) => hash?.length !== 32))
    return null;
  return { old: Number(old), proof: proof as Uint8Array[], note, checkpoint };
}
