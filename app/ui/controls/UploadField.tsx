import { ImageUp, Trash2, X } from 'lucide-react';
import { type DragEvent, type ReactNode, type Ref, type RefObject, useEffect, useRef, useState } from 'react';
import type { Locale } from '#contract/text/figures.ts';
import { Progress } from '../charts/Progress.tsx';
import { cx } from '../cx.ts';
import { IconButton } from './Button.tsx';
import { buttonClass } from './button-class.ts';
import { Field, useField } from './Field.tsx';

interface UploadTexts {
  choose: string;
  replace: string;
  drop: string;
  remove: string;
  cancel: string;
  /** Accessible name of the progress bar. */
  progress: string;
  /** Alternative text of the image. */
  preview: string;
}

export interface UploadFieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** Error message; empty when valid. */
  error?: ReactNode;
  /** Word for "optional", shown at the end of the label. */
  optional?: ReactNode;
  /** MIME types and extensions for the file picker. */
  accept: string;
  /** The image to show: the stored one, or the one being uploaded. */
  image?: string | null | undefined;
  /** 0 to 100 during an upload. */
  progress?: number | null | undefined;
  /** Set while the form must not be submitted without the image: called instead of its submission, with the focus on this field. */
  onSubmitBlocked?: (() => void) | null | undefined;
  /** Language in which its percentage is formatted. */
  locale: Locale;
  /** Status for screen readers; not visible. */
  status?: string | undefined;
  texts: UploadTexts;
  className?: string | undefined;
  onFile: (file: File) => void;
  /** Removes the image; without it the button is not shown. */
  onRemove?: (() => void) | undefined;
  /** Aborts the upload. */
  onCancel?: (() => void) | undefined;
}

/** One image: dropped or picked, with its preview, the progress, and a button to remove it. */
export function UploadField({ label, hint, error, optional, className, ...rest }: UploadFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional} className={className}>
      <Picker {...rest} />
    </Field>
  );
}

type PickerProps = Omit<UploadFieldProps, 'label' | 'hint' | 'error' | 'optional' | 'className'>;

function Picker({ accept, image, progress, onSubmitBlocked, locale, status, texts, ...on }: PickerProps) {
  const { onFile, onRemove, onCancel } = on;
  const control = useField();
  const input = useRef<HTMLInputElement>(null);
  useBlockedSubmission(input, onSubmitBlocked);
  const [over, setOver] = useState(false);
  /** URL of an image that could not be loaded: the empty frame is shown instead, and it can still be removed. */
  const [broken, setBroken] = useState<string | null>(null);
  const busy = progress != null;
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file && !busy) onFile(file);
  };
  /** Without this the browser navigates to the dropped file. */
  const drag = (inside: boolean) => (event: DragEvent) => {
    event.preventDefault();
    if (inside || !event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(inside && !busy);
  };
  /** The pressed button is removed: the focus moves to the file input. */
  const then = (after: () => void) => () => {
    input.current?.focus();
    after();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a way more; the input does the same for all.
    <div
      className={cx(
        'flex flex-wrap items-center gap-4 rounded-control border border-dashed p-3 has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
        over ? 'border-lead-text bg-lead-soft' : control['aria-invalid'] ? 'border-coral-text' : 'border-edge',
      )}
      onDragEnter={drag(true)}
      onDragOver={drag(true)}
      onDragLeave={drag(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <span className="grid size-24 flex-none place-items-center overflow-hidden rounded-control bg-raised text-quiet">
        {image && image !== broken ? (
          <img src={image} alt={texts.preview} className="size-full object-contain" onError={() => setBroken(image)} />
        ) : (
          <ImageUp aria-hidden="true" className="size-8" />
        )}
      </span>
      <div className="grid min-w-44 flex-1 gap-2">
        {busy ? <Progress value={progress} label={texts.progress} showValue={locale} look="bar" /> : null}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <FileInput ref={input} accept={accept} busy={busy} onFiles={take} />
          {busy ? null : (
            <>
              <label htmlFor={control.id} className={buttonClass({ size: 'sm' })} aria-hidden="true">
                {image ? texts.replace : texts.choose}
              </label>
              <span className="text-quiet text-sm pointer-coarse:hidden">{texts.drop}</span>
            </>
          )}
          {busy && onCancel ? (
            <IconButton label={texts.cancel} onClick={then(onCancel)}>
              <X aria-hidden="true" />
            </IconButton>
          ) : null}
          {!busy && image && onRemove ? (
            <IconButton label={texts.remove} onClick={then(onRemove)}>
              <Trash2 aria-hidden="true" />
            </IconButton>
          ) : null}
        </div>
      </div>
      <span className="visually-hidden" role="status">
        {status}
      </span>
    </div>
  );
}

/** Calls `blocked`, while there is one, instead of the submission of the input's form, and moves the focus to the input. */
function useBlockedSubmission(input: RefObject<HTMLInputElement | null>, blocked: (() => void) | null | undefined) {
  useEffect(() => {
    const form = input.current?.form;
    if (!form || !blocked) return;
    const block = (event: SubmitEvent) => {
      event.preventDefault();
      // React handles events at the root of the page, so they do not get there.
      event.stopPropagation();
      input.current?.focus();
      blocked();
    };
    form.addEventListener('submit', block);
    return () => form.removeEventListener('submit', block);
  }, [input, blocked]);
}

interface FileInputProps {
  ref: Ref<HTMLInputElement>;
  accept: string;
  busy: boolean;
  onFiles: (files: FileList | null) => void;
}

/** The native picker: invisible, but the only focusable element. While busy it keeps the focus and does nothing. */
function FileInput({ ref, accept, busy, onFiles }: FileInputProps) {
  return (
    <input
      {...useField()}
      ref={ref}
      type="file"
      accept={accept}
      className="visually-hidden"
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
      }}
      onChange={(event) => {
        onFiles(event.currentTarget.files);
        // The same file may be picked again.
        event.currentTarget.value = '';
      }}
    />
  );
}
