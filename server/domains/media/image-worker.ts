// The process that decodes images: no secrets in its environment, and no connection except to its parent, which kills it on a
// timeout (image-worker-process.ts). It exits when it exceeds its memory limit, or when the parent has exited.

import { EncodedTooSlowly, encodeImage, type Rendering, type SourceImage } from './encode-image.ts';
import { UploadRefused } from './media.policy.ts';

/** Messages of this process: that it is ready, and the result of each image. */
export type WorkerMessage =
  | { ready: true }
  | { encoded: Rendering }
  | { refused: UploadRefused['code']; reason: string; detail?: string | undefined }
  | { tooSlow: true }
  | { failed: string };

/** Interval of the memory check while an image is encoded by other threads. Milliseconds. */
const MEMORY_CHECK_MS = 20;
const [maxMemory = Number.POSITIVE_INFINITY] = process.argv.slice(2).map(Number);

/** A regular exit would wait for the threads that still encode. */
const endAtOnce = () => process.kill(process.pid, 'SIGKILL');
/** The callback swallows the error: otherwise a killed parent would leave a stack trace in the log. */
const send = (word: WorkerMessage) => process.send?.(word, (error: Error | null) => error && endAtOnce());

function checkMemory(): void {
  if (process.memoryUsage.rss() > maxMemory) endAtOnce();
}

async function encode(image: SourceImage): Promise<WorkerMessage> {
  checkMemory();
  const watch = setInterval(checkMemory, MEMORY_CHECK_MS);
  try {
    return { encoded: await encodeImage(image) };
  } catch (error) {
    if (error instanceof EncodedTooSlowly) return { tooSlow: true };
    if (!(error instanceof UploadRefused)) return { failed: String(error) };
    const detail = error.cause instanceof Error ? error.cause.message : undefined;
    return { refused: error.code, reason: error.message, detail };
  } finally {
    clearInterval(watch);
  }
}

process.on('message', (image: SourceImage) => void encode(image).then(send));
process.on('disconnect', endAtOnce);
// Ctrl-C signals the whole process group; the parent first completes its work.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
send({ ready: true });
