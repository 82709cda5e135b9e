import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { ORPCError } from '@orpc/server';
import type { Logger } from 'pino';
import { IMAGE, type ImageType, imageType, mediaBucket, UPLOAD_LIMITS, UPLOAD_SLOTS } from '#contract/domains/media.ts';
import type { Limit } from '#contract/limits.ts';
import { mayAs } from '#contract/staff.ts';
import { nameOfFile, typeOfFile, UploadRefused } from '#server/domains/media/media.policy.ts';
import type { MediaOwner } from '#server/domains/media/media.port.ts';
import { knownDatabaseFailure } from '#server/http/api/database-failures.ts';
import { notReady } from '#server/http/api/procedures.ts';
import type { HttpServices } from '#server/http/context.ts';
import { createTokenFiles } from '#server/http/endpoints/token-files.ts';
import { headersOf } from '#server/http/node-headers.ts';
import { isNotModified } from '#server/http/pages/conditional.ts';
import { imageCaching } from '#server/http/pages/shared-cache.ts';
import { createForeignCheck } from '#server/http/same-origin.ts';
import { securityHeaders } from '#server/http/security-headers.ts';
import { createPriorityQueue, type Priority, type PriorityQueue } from '#server/lib/concurrency/priority-queue.ts';
import { createSlots, type Slots, sharesOf } from '#server/lib/concurrency/slots.ts';
import { fail, failure } from '#server/lib/errors/fail.ts';
import { addressLimits, consumeRateLimits } from '#server/lib/rate-limits/rate-limit.ts';
import { StorageError } from '#server/providers/storage/port.ts';
import { arrivedBody, presignUpload, uploadSourceOf } from './direct-uploads.ts';
import { ClientDisconnected, openSpool, type Spool } from './spool.ts';

/** Permits an upload and determines the owner of the image; null for an unknown client. The request has no body. */
export type MayUpload = (request: Request) => Promise<{ owner: MediaOwner } | null>;

type Handler = (req: IncomingMessage, res: ServerResponse, rest: string) => Promise<void>;

interface Options {
  services: Pick<HttpServices, 'contextOf' | 'db' | 'media' | 'now'>;
  publicUrl: string;
  log: Logger;
  /** Folder for incomplete bodies. */
  spoolDir: string;
  /** Permits guests, such as those with a draft; members are always permitted. */
  mayUpload?: MayUpload;
  /** True if a cache in front is purged when an image is removed. */
  imagesMayStay?: () => boolean;
  /** For tests: a time limit for a body instead of the minimum speed. Milliseconds. */
  bodyTimeoutMs?: number;
}

/** Caching of an image of which it is unknown whether it was removed: its purge may be over, and would not come again. */
const UNCHECKED = { 'cache-control': 'private, max-age=60' };

/** Dependencies of an upload; one instance per process. */
interface UploadContext {
  services: Options['services'];
  options: Options;
  isForeign: (headers: Headers) => boolean;
  origin: string;
  spool: Spool;
  /** Bytes that incomplete bodies may still take. */
  rooms: { known: { left: number }; stranger: { left: number } };
  processing: PriorityQueue;
  slots: { known: Slots; stranger: Slots };
  /** Headers of every response. */
  secure: Record<string, string>;
  log: Logger;
}

/**
 * POST /uploads?bucket=…, whose body is one image, and GET /media/{file}.
 *
 * A raw body instead of a form: it needs no parser and no file name, and browsers report its progress. The content-type
 * is one of the four image types, or application/octet-stream for detection; the bytes must match.
 *
 * With `?place=<bytes>` the client requests a presigned URL for a large image instead, if browsers can reach the
 * bucket, and with `?arrived=<name>` and an empty body it reports that the image was uploaded there
 * (direct-uploads.ts). The same permissions apply.
 *
 * A body is first received into a file, so that slow clients do not block others. Only a complete one takes one of the
 * few slots for validating and encoding, members before guests.
 *
 * @throws StartError when the folder for bodies cannot be created.
 */
export function createUploads(options: Options): { receive: Handler; serve: Handler; serveTokenFile: Handler } {
  const { services, log, bodyTimeoutMs } = options;
  const { origin, protocol } = new URL(options.publicUrl);
  const isForeign = createForeignCheck(options.publicUrl);
  const secure = securityHeaders(protocol === 'https:');
  const fileHeaders = {
    ...secure,
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    // Wallets and other sites show token images.
    'cross-origin-resource-policy': 'cross-origin',
  };
  const spool = openSpool(options.spoolDir, bodyTimeoutMs ? (elapsed) => elapsed >= bodyTimeoutMs : undefined);
  const slots = { known: createSlots(UPLOAD_SLOTS.members), stranger: createSlots(UPLOAD_SLOTS.guests) };
  const rooms = { known: { left: UPLOAD_SLOTS.memberBytes }, stranger: { left: UPLOAD_SLOTS.guestBytes } };
  const processing = createPriorityQueue({
    slots: UPLOAD_SLOTS.processed,
    strangerSlots: UPLOAD_SLOTS.guestsProcessed,
    queue: { known: UPLOAD_SLOTS.membersWaiting, stranger: UPLOAD_SLOTS.guestsWaiting },
    overflow: () => failure('BUSY', { retryAfter: 5 }),
  });

  async function serve(req: IncomingMessage, res: ServerResponse, file: string): Promise<void> {
    const found = await services.media.open(file);
    if (!found) return sendText(res, secure, 404, 'Not found');
    // A name is never reused and its content never changes.
    const etag = `"${file}"`;
    const type = typeOfFile(file);
    const headers = {
      ...fileHeaders,
      ...(found.checked ? imageCaching(nameOfFile(file) ?? '', options.imagesMayStay?.() ?? false) : UNCHECKED),
      etag,
      'content-type': type,
      'content-disposition': `inline; filename="image.${type.slice('image/'.length)}"`,
    };
    if (isNotModified(req, etag)) {
      res.writeHead(304, headers).end();
      return;
    }
    if (req.method === 'HEAD') {
      res.writeHead(200, { ...headers, 'content-length': found.bytes }).end();
      return;
    }
    const stream = await found.stream();
    res.writeHead(200, { ...headers, 'content-length': found.bytes });
    // A client that disconnects, or a storage that fails, ends both streams; the content-length lets the client detect
    // it.
    await pipeline(stream, res).catch((error: unknown) => {
      if (!res.destroyed || !isAbort(error)) log.warn({ err: error, file }, 'image broke off');
      res.destroy();
    });
  }

  const uploads: UploadContext = {
    services,
    options,
    isForeign,
    origin,
    spool,
    rooms,
    processing,
    slots,
    secure,
    log,
  };
  return {
    receive: (req, res, query) => receive(uploads, req, res, query),
    serveTokenFile: createTokenFiles({ media: services.media, headers: secure, log }),
    serve: async (req, res, file) => {
      try {
        await serve(req, res, file);
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
        log.error({ err: error, file }, 'image not read');
        sendText(res, { ...secure, 'retry-after': '5' }, 503, 'Storage not available');
      }
    },
  };
}

async function whose(uploads: UploadContext, request: Request): Promise<MediaOwner> {
  const { services, options } = uploads;
  const viewer = await services.contextOf(request.headers).viewer();
  // A member who works on a draft owns the image together with the draft.
  const { owner } = (await options.mayUpload?.(request)) ?? { owner: undefined };
  if (!viewer && !owner?.userId && !owner?.draftId && !owner?.claim) throw new UploadRefused('UNAUTHORIZED');
  return { ...owner, ...(viewer ? { userId: viewer.id } : {}) };
}

async function accept(
  uploads: UploadContext,
  req: IncomingMessage,
  query: string,
): Promise<{ status: number; body: unknown }> {
  const { isForeign, origin, services, spool, rooms, processing } = uploads;
  const headers = headersOf(req);
  if (isForeign(headers)) throw new UploadRefused('FOREIGN_ORIGIN');
  const declared = typeOf(headers);
  if (Number(headers.get('content-length') ?? 0) > IMAGE.maxBytes) throw new UploadRefused('FILE_TOO_LARGE');
  const parameters = new URLSearchParams(query);
  const bucket = mediaBucket.safeParse(parameters.get('bucket')).data;
  if (!bucket) throw new UploadRefused('BUCKET');
  const source = uploadSourceOf(parameters);
  const request = new Request(new URL(`/uploads?bucket=${bucket}`, origin), { method: 'POST', headers });
  const owner = await whose(uploads, request);
  const context = services.contextOf(headers);
  const viewer = await context.viewer();
  if (bucket !== 'token-images') {
    // A guest's draft is for a token; members upload to the forum, and the other two buckets belong to the back office.
    if (!owner.userId) throw new UploadRefused('BUCKET');
    if (bucket === 'forum-images') {
      if (!viewer) throw new UploadRefused('UNAUTHORIZED');
    } else if (!viewer || !mayAs(viewer.staffRoles, ['editor']) || notReady(context, viewer))
      throw new UploadRefused('FORBIDDEN');
  }
  const priority: Priority = owner.userId ? 'known' : 'stranger';
  const release = acquireSlot(uploads, owner.userId, context.address);
  try {
    const takes = (name: string, limit: Limit) =>
      owner.userId
        ? [{ key: `${name}:${owner.userId}`, limit }]
        : addressLimits(`${name}:address`, context.address, limit);
    const { minute, day } = UPLOAD_LIMITS;
    const counted = source.kind === 'place' ? 'place' : 'upload';
    await consumeRateLimits(
      services.db,
      [...takes(`${counted}:minute`, minute), ...takes(`${counted}:day`, day)],
      services.now(),
    );
    await services.media.checkRoom(
      owner,
      source.kind === 'place' ? source.bytes : Number(headers.get('content-length') ?? 0),
    );
    const { direct } = services.media;
    if (source.kind === 'place') return { status: 200, body: await presignUpload(direct, declared, source.bytes) };
    const actor = {
      id: owner.userId ?? null,
      role: viewer?.role ?? ('visitor' as const),
      ipHash: context.ipHash(),
      requestId: context.requestId,
    };
    const body =
      source.kind === 'arrived'
        ? arrivedBody(direct, source.name)
        : await spool.receive(req, IMAGE.maxBytes, rooms[priority]);
    try {
      const image = await processing.run(priority, async () => {
        if (req.socket.destroyed) throw new ClientDisconnected();
        return services.media.store({ bytes: await body.read(), declared, bucket, owner, actor });
      });
      return { status: 201, body: image };
    } finally {
      await body.drop();
    }
  } finally {
    release();
  }
}

/** Acquires a slot from the first byte to the response. @throws RATE_LIMITED @throws BUSY */
function acquireSlot(uploads: UploadContext, memberId: string | undefined, address: string): () => void {
  const { slots } = uploads;
  const slot = memberId
    ? slots.known.acquire([
        { key: `member:${memberId}`, max: UPLOAD_SLOTS.member },
        ...sharesOf(address, UPLOAD_SLOTS.memberAddress),
      ])
    : slots.stranger.acquire(sharesOf(address, UPLOAD_SLOTS.guestAddress));
  if (slot === 'shareFull') return fail('RATE_LIMITED', { retryAfter: 5 });
  return slot === 'full' ? fail('BUSY', { retryAfter: 5 }) : slot;
}

async function receive(
  uploads: UploadContext,
  req: IncomingMessage,
  res: ServerResponse,
  query: string,
): Promise<void> {
  const { secure, log } = uploads;
  let answer: Answer;
  if (req.method !== 'POST') answer = { status: 405, code: 'METHOD_NOT_SUPPORTED', headers: { allow: 'POST' } };
  else {
    try {
      const { status, body } = await accept(uploads, req, query);
      return send(res, secure, status, body);
    } catch (error) {
      if (error instanceof ClientDisconnected) return;
      answer = answerTo(error);
      // Logged for the operator: a full disk, an unavailable storage, and unexpected errors.
      if (answer.status >= 500 && answer.code !== 'BUSY') log.error({ err: error }, 'upload failed');
      else if (error instanceof UploadRefused) log.info({ code: error.code, reason: error.message }, 'upload refused');
    }
  }
  const { status, code, retryAfter, headers } = answer;
  const data = retryAfter ? { data: { retryAfter } } : {};
  send(res, { ...secure, ...headers, ...(retryAfter ? { 'retry-after': String(retryAfter) } : {}) }, status, {
    defined: false,
    code,
    status,
    message: code,
    ...data,
  });
}

interface Answer {
  status: number;
  code: string;
  retryAfter?: number;
  headers?: Record<string, string>;
}

function answerTo(error: unknown): Answer {
  if (error instanceof UploadRefused) return { status: error.status, code: error.code };
  if (error instanceof StorageError)
    return error.reason === 'full'
      ? { status: 507, code: 'STORAGE_FULL' }
      : { status: 503, code: 'STORAGE_DOWN', retryAfter: 5 };
  const known = error instanceof ORPCError ? error : knownDatabaseFailure(error);
  if (!known) return { status: 500, code: 'INTERNAL_SERVER_ERROR' };
  const { retryAfter } = (known.data ?? {}) as { retryAfter?: number };
  return { status: known.status, code: known.code, ...(retryAfter ? { retryAfter } : {}) };
}

function send(res: ServerResponse, headers: Record<string, string>, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  res.writeHead(status, {
    'cache-control': 'no-store',
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  res.end(text);
}

function sendText(res: ServerResponse, headers: Record<string, string>, status: number, text: string): void {
  res.writeHead(status, { 'cache-control': 'no-store', ...headers, 'content-type': 'text/plain; charset=utf-8' });
  res.end(text);
}

/** @throws UploadRefused for everything but one of the four types or application/octet-stream, unencoded. */
function typeOf(headers: Headers): ImageType | null {
  const encoding = headers.get('content-encoding') ?? 'identity';
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (encoding !== 'identity') throw new UploadRefused('FILE_TYPE');
  if (type === 'application/octet-stream') return null;
  const known = imageType.safeParse(type === 'image/jpg' ? 'image/jpeg' : type);
  if (!known.success) throw new UploadRefused('FILE_TYPE');
  return known.data;
}

const isAbort = (error: unknown) =>
  ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE', 'ABORT_ERR'].includes(
    (error as { code?: string }).code ?? '',
  );
