import type { ImageType, MediaBucket, UploadedImage, UploadFailureCode, UploadPlace } from '#contract/domains/media.ts';
import type { ErrorCode } from '#contract/errors.ts';

/** The same limit as the server's (contract/domains/media.ts); upload.test.ts compares them. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

/** Timeout for the upload and the server's image processing. Milliseconds. */
const TIMEOUT_MS = 120_000;

export type UploadErrorCode =
  | UploadFailureCode
  | Extract<ErrorCode, 'RATE_LIMITED' | 'BUSY'>
  | 'OFFLINE'
  | 'UNEXPECTED';

/** Id and secret that open a draft. */
export interface DraftClaim {
  id: string;
  secret: string;
}

export class UploadError extends Error {
  override name = 'UploadError';
  readonly code: UploadErrorCode;

  constructor(code: UploadErrorCode) {
    super(code);
    this.code = code;
  }
}

/** Magic bytes; a dot matches any byte. */
const SIGNATURES: [type: ImageType, starts: string][] = [
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
  ['image/webp', 'RIFF....WEBP'],
];

/** Type by content, as the server checks it: file names and the system's types are often wrong. */
async function imageTypeOf(file: Blob): Promise<ImageType | null> {
  const head = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  const fits = (starts: string) => [...starts].every((byte, i) => byte === '.' || byte.charCodeAt(0) === head[i]);
  return SIGNATURES.find(([, starts]) => fits(starts))?.[0] ?? null;
}

/** Checks that the server would fail too, before anything is sent. @throws UploadError */
export async function checkImage(file: Blob): Promise<ImageType> {
  if (file.size > MAX_IMAGE_BYTES) throw new UploadError('FILE_TOO_LARGE');
  const type = await imageTypeOf(file);
  if (!type) throw new UploadError('FILE_TYPE');
  return type;
}

/** The file as a data URL for an image element; animations are preserved. (The content security policy forbids blob URLs.) */
export function readPreview(file: Blob, type: ImageType): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new UploadError('UNEXPECTED'));
    reader.readAsDataURL(new Blob([file], { type }));
  });
}

export interface UploadOptions {
  bucket: MediaBucket;
  type: ImageType;
  /** The draft that the image belongs to; it proves the right of a guest. */
  draft?: DraftClaim | null;
  /** The key of a form for guests, when there is no draft. */
  formKey?: string | undefined;
  onProgress?: (percent: number) => void;
  signal?: AbortSignal;
}

/** The same limit as the server's (contract/domains/media.ts); upload.test.ts compares them. */
export const DIRECT_BYTES = 1024 * 1024;

/**
 * Uploads one checked image: a large one directly to the bucket, if the site has one that browsers reach, and then confirms it
 * to the site; any other, and one that the bucket refuses, to the site.
 * @param options.onProgress receives 0 to 100, the percentage of the file that was sent.
 * @throws UploadError; the signal's reason when it was aborted.
 */
export async function uploadImage(file: Blob, options: UploadOptions): Promise<UploadedImage> {
  if (file.size >= DIRECT_BYTES) {
    const target = await postUpload<UploadPlace>(`place=${file.size}`, null, options);
    if (target.name && target.url && (await arrives(target.url, file, options)))
      return postUpload<UploadedImage>(`arrived=${target.name}`, null, options);
  }
  return postUpload<UploadedImage>('', file, options);
}

/** True when the bucket stored the file. When it can't be reached, the caller falls back to the site. */
async function arrives(url: string, file: Blob, options: UploadOptions): Promise<boolean> {
  try {
    const { status } = await send('PUT', url, file, { 'content-type': options.type }, options);
    return status === 200;
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return false;
  }
}

/** POST /uploads. @throws UploadError */
async function postUpload<Answer>(about: string, file: Blob | null, options: UploadOptions): Promise<Answer> {
  const { bucket, type, draft, formKey } = options;
  const headers: Record<string, string> = { 'content-type': type };
  if (draft) headers['x-draft'] = `${draft.id}.${draft.secret}`;
  if (formKey) headers['x-claim'] = formKey;
  const path = `/uploads?bucket=${bucket}${about && `&${about}`}`;
  const { status, response } = await send('POST', path, file, headers, file ? options : { signal: options.signal });
  if (status === (about.startsWith('place') ? 200 : 201) && response) return response as Answer;
  throw new UploadError((response as { code?: UploadErrorCode } | null)?.code ?? 'UNEXPECTED');
}

/** Uses XMLHttpRequest, because `fetch` does not report upload progress. @throws UploadError; the signal's reason. */
function send(
  method: string,
  address: string,
  body: Blob | null,
  headers: Record<string, string>,
  { onProgress, signal }: { onProgress?: UploadOptions['onProgress']; signal?: AbortSignal | undefined },
): Promise<{ status: number; response: unknown }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const callOff = () => request.abort();
    const settle = (then: () => void) => () => {
      signal?.removeEventListener('abort', callOff);
      then();
    };
    if (signal?.aborted) return reject(signal.reason);
    signal?.addEventListener('abort', callOff);
    request.open(method, address);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.responseType = method === 'PUT' ? 'text' : 'json';
    request.timeout = TIMEOUT_MS;
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? (loaded / total) * 100 : 0);
    request.onload = settle(() => resolve({ status: request.status, response: request.response as unknown }));
    request.onerror = settle(() => reject(new UploadError('OFFLINE')));
    request.ontimeout = settle(() => reject(new UploadError('TOO_SLOW')));
    request.onabort = settle(() => reject(signal?.reason ?? new UploadError('OFFLINE')));
    request.send(body);
  });
}
