import { afterEach, describe, expect, it, vi } from 'vitest';
import { DIRECT_UPLOADS, IMAGE, imageType } from '#contract/domains/media.ts';
import { IMAGE_ACCEPT } from './image-accept.ts';
import { checkImage, DIRECT_BYTES, MAX_IMAGE_BYTES, uploadImage } from './upload.ts';

const blob = (text: string, size = text.length) =>
  new Blob([Uint8Array.from(text.padEnd(size, '\0'), (letter) => letter.charCodeAt(0))]);

describe('the check of an image before its upload', () => {
  it('has the limits of the server', () => {
    expect(MAX_IMAGE_BYTES).toBe(IMAGE.maxBytes);
    expect(DIRECT_BYTES).toBe(DIRECT_UPLOADS.minBytes);
    for (const type of imageType.options) expect(IMAGE_ACCEPT).toContain(type);
  });

  it.each([
    ['\xff\xd8\xff\xe0rest', 'image/jpeg'],
    ['\x89PNG\r\n\x1a\nrest', 'image/png'],
    ['GIF87arest', 'image/gif'],
    ['GIF89arest', 'image/gif'],
    ['RIFF\x0a\0\0\0WEBPVP8 ', 'image/webp'],
  ])('identifies %j as %s', async (head, type) => {
    expect(await checkImage(blob(head))).toBe(type);
  });

  it.each(['', 'x', '<svg xmlns="…">', '%PDF-1.7', 'BM', 'RIFF\x0a\0\0\0WAVE', ' GIF89a', 'GIF88a'])(
    'refuses %j [MEDIA-01]',
    async (head) => {
      await expect(checkImage(blob(head))).rejects.toMatchObject({ code: 'FILE_TYPE' });
    },
  );

  it('accepts 5 MB at most [MEDIA-02]', async () => {
    expect(await checkImage(blob('GIF89a', MAX_IMAGE_BYTES))).toBe('image/gif');
    await expect(checkImage(blob('GIF89a', MAX_IMAGE_BYTES + 1))).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
  });
});

describe('the upload of an image', () => {
  /** A fake XMLHttpRequest, as far as it is used. */
  class FakeRequest {
    static last: FakeRequest;
    upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
    headers: Record<string, string> = {};
    status = 0;
    response: unknown = null;
    sent: unknown;
    target = '';
    onload?: () => void;
    onerror?: () => void;
    ontimeout?: () => void;
    onabort?: () => void;
    constructor() {
      FakeRequest.last = this;
    }
    open(method: string, target: string) {
      this.target = `${method} ${target}`;
    }
    setRequestHeader(name: string, value: string) {
      this.headers[name] = value;
    }
    send(body: unknown) {
      this.sent = body;
    }
    abort() {
      this.onabort?.();
    }
    answer(status: number, response: unknown) {
      Object.assign(this, { status, response });
      this.onload?.();
    }
  }
  afterEach(() => void vi.unstubAllGlobals());
  const start = (options: Partial<Parameters<typeof uploadImage>[1]> = {}) => {
    vi.stubGlobal('XMLHttpRequest', FakeRequest);
    const file = blob('GIF89a');
    const done = uploadImage(file, { bucket: 'token-images', type: 'image/gif', ...options });
    done.catch(() => {});
    return { done, request: FakeRequest.last, file };
  };

  it('reports its progress, and returns the image', async () => {
    const percentages: number[] = [];
    const { done, request, file } = start({ onProgress: (percent) => percentages.push(percent) });
    expect([request.target, request.headers, request.sent]).toEqual([
      'POST /uploads?bucket=token-images',
      { 'content-type': 'image/gif' },
      file,
    ]);
    for (const loaded of [0, 3, 6]) request.upload.onprogress?.({ loaded, total: 6 });
    request.answer(201, { id: 'x', url: '/media/x.webp' });
    expect(await done).toEqual({ id: 'x', url: '/media/x.webp' });
    expect(percentages).toEqual([0, 50, 100]);
  });

  it.each([
    [413, { code: 'FILE_TOO_LARGE' }, 'FILE_TOO_LARGE'],
    [507, { code: 'STORAGE_FULL' }, 'STORAGE_FULL'],
    [502, null, 'UNEXPECTED'],
    [200, null, 'UNEXPECTED'],
  ])('fails for %i %j with the code %s', async (status, response, code) => {
    const { done, request } = start();
    request.answer(status, response);
    await expect(done).rejects.toMatchObject({ code });
  });

  it('fails without a network, and after its timeout', async () => {
    const offline = start();
    offline.request.onerror?.();
    await expect(offline.done).rejects.toMatchObject({ code: 'OFFLINE' });
    const slow = start();
    slow.request.ontimeout?.();
    await expect(slow.done).rejects.toMatchObject({ code: 'TOO_SLOW' });
  });

  describe('to the bucket, for a large image,', () => {
    /** Starts an upload, and responds to its request for an upload URL. */
    async function large(place: { name: string | null; url: string | null }) {
      vi.stubGlobal('XMLHttpRequest', FakeRequest);
      const file = blob('GIF89a', DIRECT_BYTES);
      const progress: number[] = [];
      const control = new AbortController();
      const done = uploadImage(file, {
        bucket: 'token-images',
        type: 'image/gif',
        formKey: 'key',
        signal: control.signal,
        onProgress: (percent) => progress.push(percent),
      });
      done.catch(() => {});
      const { last } = FakeRequest;
      expect([last.target, last.sent, last.headers]).toEqual([
        `POST /uploads?bucket=token-images&place=${DIRECT_BYTES}`,
        null,
        { 'content-type': 'image/gif', 'x-claim': 'key' },
      ]);
      last.answer(200, place);
      await vi.waitFor(() => expect(FakeRequest.last).not.toBe(last));
      return { done, file, progress, control };
    }
    const next = async () => {
      const { last } = FakeRequest;
      await vi.waitFor(() => expect(FakeRequest.last).not.toBe(last));
      return FakeRequest.last;
    };
    const PLACE = { name: 'abc', url: 'https://b.s3.example/arrivals/abc?X' };

    it('is sent without credentials, then reported to the site', async () => {
      const { done, file, progress } = await large(PLACE);
      const put = FakeRequest.last;
      expect([put.target, put.sent, put.headers]).toEqual([`PUT ${PLACE.url}`, file, { 'content-type': 'image/gif' }]);
      put.upload.onprogress?.({ loaded: 1, total: 2 });
      put.answer(200, '');
      const message = await next();
      expect([message.target, message.sent]).toEqual(['POST /uploads?bucket=token-images&arrived=abc', null]);
      message.answer(201, { id: 'x', url: '/media/x.webp' });
      expect(await done).toEqual({ id: 'x', url: '/media/x.webp' });
      expect(progress).toEqual([50]);
    });

    it.each(['refused', 'out of reach', 'late', 'no place'] as const)(
      'falls back to the site when the bucket is unusable: %s',
      async (how) => {
        const { done, file } = await large(how === 'no place' ? { name: null, url: null } : PLACE);
        let request = FakeRequest.last;
        if (how !== 'no place') {
          if (how === 'refused') request.answer(403, '');
          else if (how === 'late') request.ontimeout?.();
          else request.onerror?.();
          if (FakeRequest.last === request) request = await next();
          else request = FakeRequest.last;
        }
        expect([request.target, request.sent]).toEqual(['POST /uploads?bucket=token-images', file]);
        request.answer(201, { id: 'x', url: '/media/x.webp' });
        expect(await done).toEqual({ id: 'x', url: '/media/x.webp' });
      },
    );

    it('can be aborted', async () => {
      const { done, control } = await large(PLACE);
      const put = FakeRequest.last;
      control.abort();
      await expect(done).rejects.toMatchObject({ name: 'AbortError' });
      expect(FakeRequest.last).toBe(put);
    });

    it('fails with the code of the server when it refuses the image that arrived', async () => {
      const { done } = await large(PLACE);
      FakeRequest.last.answer(200, '');
      (await next()).answer(422, { code: 'IMAGE_REFUSED' });
      await expect(done).rejects.toMatchObject({ code: 'IMAGE_REFUSED' });
    });
  });

  it('can be aborted before its start and while it runs', async () => {
    const control = new AbortController();
    const { done } = start({ signal: control.signal });
    control.abort();
    await expect(done).rejects.toMatchObject({ name: 'AbortError' });
    await expect(start({ signal: control.signal }).done).rejects.toMatchObject({ name: 'AbortError' });
  });
});
