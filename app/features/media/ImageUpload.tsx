import { type ReactNode, useEffect, useRef, useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { IMAGE_ACCEPT } from '#app/lib/api/image-accept.ts';
import { isLost } from '#app/lib/api/lost-answer.ts';
import { retryAfterLostAnswer } from '#app/lib/api/retry-lost-answer.ts';
import { client } from '#app/lib/api/rpc.ts';
import type { DraftClaim, UploadError } from '#app/lib/api/upload.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { mediaTexts } from '#app/lib/messages/media.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { firstLoadIsOver } from '#app/lib/page/lazy-loading.ts';
import { UploadField } from '#app/ui/controls/UploadField.tsx';
import type { MediaBucket, UploadedImage } from '#contract/domains/media.ts';

export interface ImageUploadProps {
  bucket: MediaBucket;
  label: ReactNode;
  /** Default: the accepted types and size. */
  hint?: ReactNode;
  optional?: ReactNode;
  /** The form's error for the value; errors of the upload take precedence. */
  error?: ReactNode;
  /** URL of the image in the form. */
  value: string | null;
  onChange: (url: string | null) => void;
  /** The draft that the image belongs to, created when needed; called when the upload begins. Null: as a member. */
  draft?: () => Promise<DraftClaim | null>;
  /** The key of a form for guests. */
  formKey?: string;
  /** Deletes an image uploaded here; default: as a member. */
  onDelete?: (id: string) => Promise<unknown>;
}

/** The code that sends a file: loaded once the first page load is over, or with the first file. */
const loadUpload = () => import('#app/lib/api/upload.ts');

function useLoadedUpload(): void {
  useEffect(() => {
    void firstLoadIsOver()
      .then(loadUpload)
      .catch(() => {});
  }, []);
}

const removeAsMember = (id: string) => client.media.remove({ id });

const isUploadError = (error: unknown): error is UploadError => error instanceof Error && error.name === 'UploadError';

/** The message for an upload that failed. */
function useUploadFailure(): (error: unknown) => string {
  const text = useText(mediaTexts);
  return (error) => {
    const code = isUploadError(error) ? error.code : codeOf(error);
    const messages: Partial<Record<string, string>> = { ...text.media.failure };
    if (code === 'RATE_LIMITED' || code === 'BUSY') return text.failure[code];
    if (code === 'OFFLINE') return text.media.unanswered;
    return messages[code] ?? text.media.uploadFailed.text;
  };
}

/** An image of a form: uploads the picked file and passes its URL on. */
export function ImageUpload({
  bucket,
  value,
  onChange,
  draft,
  formKey,
  onDelete = removeAsMember,
  ...field
}: ImageUploadProps) {
  const text = useText(mediaTexts);
  const locale = useLocale();
  /** Without a percentage until the file was checked. */
  const [transfer, setTransfer] = useState<{ preview?: string; percent?: number } | null>(null);
  const [fieldError, setFieldError] = useState('');
  const [status, setStatus] = useState('');
  const running = useRef<AbortController | null>(null);
  /** The newest image that this field uploaded: only that one may be deleted here. */
  const uploaded = useRef<UploadedImage | null>(null);
  const messagesFor = useUploadFailure();
  useLoadedUpload();
  useEffect(() => () => running.current?.abort(), []);

  const end = () => {
    running.current = null;
    setTransfer(null);
  };

  async function send(file: File): Promise<void> {
    const control = new AbortController();
    running.current?.abort();
    running.current = control;
    const current = () => running.current === control && !control.signal.aborted;
    setFieldError('');
    setStatus('');
    setTransfer({});
    try {
      const { checkImage, readPreview, uploadImage } = await loadUpload();
      const type = await checkImage(file);
      const preview = await readPreview(file, type);
      if (!current()) return;
      setTransfer({ preview, percent: 0 });
      setStatus(text.media.progress);
      const claim = (await draft?.()) ?? null;
      if (!current()) return;
      // Repeated, an upload stores a second image; the first one, which no form uses, is deleted automatically after a while.
      const image = await retryAfterLostAnswer(() =>
        uploadImage(file, {
          bucket,
          type,
          formKey,
          draft: claim,
          signal: control.signal,
          onProgress: (percent) => {
            if (current()) setTransfer({ preview, percent });
          },
        }),
      );
      // A replaced image is deleted automatically after a while; a failed early deletion is ignored.
      if (uploaded.current && uploaded.current.url === value) onDelete(uploaded.current.id).catch(() => {});
      uploaded.current = image;
      onChange(image.url);
      setFieldError('');
      setStatus(text.media.uploaded);
      notify.success({ title: text.media.uploaded });
    } catch (error) {
      if (control.signal.aborted) return;
      const messages = messagesFor(error);
      setFieldError(messages);
      notify.failed(error, { title: text.media.uploadFailed.title, text: messages }, messages);
    } finally {
      if (running.current === control) end();
    }
  }

  async function remove(): Promise<void> {
    setFieldError('');
    try {
      // An image that was not uploaded here is deleted when the form is saved without it.
      const mine = uploaded.current?.url === value ? uploaded.current : null;
      // Also after a lost answer the form is stored without it: an image that no form uses is deleted automatically after a while.
      if (mine)
        await retryAfterLostAnswer(() => onDelete(mine.id)).catch((error) => {
          if (!isLost(error)) throw error;
        });
      uploaded.current = null;
      onChange(null);
      setStatus(text.media.removed);
    } catch {
      setFieldError(text.media.removeFailed.text);
      notify.error(text.media.removeFailed);
    }
  }

  return (
    <UploadField
      {...field}
      hint={field.hint ?? text.media.hint}
      error={fieldError || field.error}
      accept={IMAGE_ACCEPT}
      image={transfer?.preview ?? value}
      progress={transfer?.percent}
      // A form with a draft stays open while it uploads.
      onSubmitBlocked={transfer && !draft ? () => setFieldError(text.media.stillUploading) : null}
      locale={locale}
      status={status}
      texts={text.media}
      onFile={(file) => void send(file)}
      onRemove={() => void remove()}
      onCancel={() => {
        running.current?.abort();
        end();
        setFieldError('');
        setStatus('');
      }}
    />
  );
}
