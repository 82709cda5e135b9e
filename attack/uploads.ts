// Uploads files with a false type, and checks what is served of them.
import zlib from 'node:zlib';
import { mediaBucket } from '#contract/domains/media.ts';
import { hasSession } from './access.ts';
import type { AttackContext } from './attack-context.ts';
import type { FindingKind, Findings } from './findings.ts';
import { checkResponse } from './judge.ts';
import { clearLimits, KINDS, type Kind, newPerson } from './people.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const SCRIPT = Buffer.from('<script>attackRan()</script>');

/** An image whose header claims a size and that has almost no data. */
function hugePng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const check = Buffer.alloc(4);
    check.writeUInt32BE(zlib.crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6, 0, 0, 0], 8);
  const data = zlib.deflateSync(Buffer.alloc(1_000_000));
  return Buffer.concat([png.subarray(0, 8), chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

/** The only file of the declared type; accepted from everybody who may upload. */
const PICTURE = 'a picture';
export const FILES: Readonly<Record<string, Buffer>> = {
  [PICTURE]: png,
  'a drawing with a script': Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" onload="attackRan()"><script>attackRan()</script></svg>',
  ),
  'a page': Buffer.from('<!doctype html><script>attackRan()</script>'),
  'a page behind the head of a picture': Buffer.concat([png.subarray(0, 16), SCRIPT]),
  'a picture with a page behind': Buffer.concat([png, SCRIPT]),
  'a GIF that is also a script': Buffer.from('GIF89a=1;attackRan();/*\x00\x01*/'),
  'a document': Buffer.from('%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj'),
  'a program': Buffer.from('\x7fELF\x02\x01\x01'),
  'an archive': Buffer.from('PK\x03\x04'),
  'entities of XML': Buffer.from(
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><svg>&b;</svg>',
  ),
  nothing: Buffer.alloc(0),
  '6 MB of zeros': Buffer.alloc(6 * 1024 * 1024),
  '65,535 × 65,535 pixels': hugePng(65_535, 65_535),
  '1 × 60,000,000 pixels': hugePng(1, 60_000_000),
};
/** All existing buckets, and two that do not exist. */
const BUCKETS = [...mediaBucket.options, '../../etc', ''];
/** Those of members; the others are the editors' and owners'. */
export const OPEN_BUCKETS = ['token-images', 'forum-images'];
/** The second type leaves the decision to the bytes. */
const TYPES = ['image/png', 'application/octet-stream', 'image/svg+xml', 'text/html', ''];
/**
 * Maximum size whose answer is checked: a server may answer and close before it has read a longer body, and the client
 * then sees no answer. Bytes.
 */
const MAX_ANSWERED = 1024 * 1024;

/**
 * The declared type of a file. It varies by kind of person and bucket, because most types are refused before the file
 * is read; the image is always declared correctly, or it would be refused too.
 */
export function declaredType(file: string, bucket: string, kind: Kind): string {
  if (file === PICTURE) return 'image/png';
  const index = Object.keys(FILES).indexOf(file) + BUCKETS.indexOf(bucket) + KINDS.indexOf(kind);
  return TYPES[index % TYPES.length] ?? '';
}

/**
 * Describes what is wrong with a status; undefined for an allowed one. Nobody here has a guest's draft, which would
 * permit uploads.
 */
export function uploadViolation(kind: Kind, bucket: string, file: string, status: number): FindingKind | undefined {
  const exists = BUCKETS.slice(0, -2).includes(bucket);
  const may = exists && hasSession(kind) && (kind === 'admin' || kind === 'editor' || OPEN_BUCKETS.includes(bucket));
  if (status < 300) return may ? undefined : 'unauthorized access';
  // When everything is refused, nothing is tested.
  return may && file === PICTURE ? 'other' : undefined;
}

/** @returns how many files were sent. */
export async function attackByUploads(context: AttackContext, findings: Findings): Promise<number> {
  let sent = 0;
  for (const kind of KINDS) {
    await clearLimits(context.target);
    const who = await newPerson(context.target, kind);
    for (const [name, bytes] of Object.entries(FILES))
      for (const bucket of BUCKETS) {
        // Ten uploads a minute are allowed.
        if (sent % 10 === 0) await clearLimits(context.target);
        const type = declaredType(name, bucket, kind);
        sent++;
        const target = `/uploads?bucket=${encodeURIComponent(bucket)}`;
        const what = `POST /uploads of ${name}`;
        const answer = await who
          .request('POST', target, { body: new Uint8Array(bytes), headers: { 'content-type': type } })
          .catch(() => null);
        if (!answer) {
          if (bytes.length < MAX_ANSWERED) findings.add('other', `${what} to ${bucket} as ${kind}: no answer`);
          continue;
        }
        checkResponse(findings, kind, what, answer, context.secrets);
        const wrong = uploadViolation(kind, bucket, name, answer.status);
        if (wrong) findings.add(wrong, `${what} to ${bucket} as ${kind}: ${answer.status}`);
        if (answer.status >= 300) continue;
        const address = /"(\/media\/[^"]+)"/.exec(answer.text)?.[1];
        if (!address) {
          findings.add('other', `${what}: taken, and no address of it: ${answer.text.slice(0, 120)}`);
          continue;
        }
        const file = await who.request('GET', address);
        checkResponse(findings, kind, `GET of ${name}`, file, context.secrets);
        const policy = file.headers.get('content-security-policy') ?? '';
        if (
          file.headers.get('content-type') !== 'image/webp' ||
          !policy.includes('sandbox') ||
          file.text.includes('attackRan')
        )
          findings.add('script execution', `${what}: served as ${file.headers.get('content-type')}, ${policy}`);
      }
  }
  return sent;
}
