// The process that decodes images: no secrets in its environment, no connection to anything but its parent, which ends it
// when it takes too long (image-worker-process.ts). It ends itself when it needs too much memory, or when the parent is gone.

import { EncodedTooSlowly, encodeImage, type Rendering, type SourceImage } from './encode-image.ts';
import { UploadRefused } from './media.policy.ts';

/** What this process says: that it can begin, and how each image went. */
export type WorkerMessage =
  | { ready: true }
  | { encoded: Rendering }
  | { refused: UploadRefused['code']; reason: string; detail?: string | undefined }
  | { tooSlow: true }
  | { failed: string };

/** Between two looks at the memory while an image is encoded: the work itself runs on other threads. Milliseconds. */
const MEMORY_CHECK_MS = 20;
const [maxMemory = Number.POSITIVE_INFINITY] = process.argv.slice(2).map(Number);

/** An ordinary end would wait for the threads that still encode. */
const endAtOnce = () => process.kill(process.pid, 'SIGKILL');
/** Without somebody who hears of its failure, a parent that was just killed would leave a stack in the log. */
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
// Ctrl-C reaches the whole group; the parent first finishes what is under way.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
send({ ready: true });
