import { type ReactNode, useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminImageFieldTexts } from '#app/lib/messages/admin/image-field.ts';
import { Field, Input } from '#app/ui/controls/Field.tsx';
import { REQUEST_MAX } from '#contract/limits.ts';
import { Switch } from '../Switch.tsx';

/** Props that a form passes to the upload; the route provides it from the media feature. */
export interface ImageSlot {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  value: string | null;
  onChange: (url: string | null) => void;
}
export type ImagePicker = (slot: ImageSlot) => ReactNode;

interface ImageFieldProps {
  /** Renders the upload. */
  picker: ImagePicker;
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  value: string;
  onChange: (url: string) => void;
}

const isElsewhere = (value: string) => /^https?:/i.test(value);

/** An image of a record: an uploaded file, or a URL that the server downloads and stores when the form is saved. */
export function ImageField({ picker, label, hint, error, value, onChange }: ImageFieldProps) {
  const messages = useText(adminImageFieldTexts).image;
  const [mode, setMode] = useState<'upload' | 'manual'>(isElsewhere(value) ? 'manual' : 'upload');
  /** The last value of each of the two modes: switching between them loses neither. */
  const [given, setGiven] = useState({ upload: isElsewhere(value) ? '' : value, manual: value });
  function give(url: string) {
    setGiven((old) => ({ ...old, [mode]: url }));
    onChange(url);
  }
  function go(next: 'upload' | 'manual') {
    setMode(next);
    // An upload stays until a URL replaces it.
    onChange(next === 'manual' && !given.manual ? value : given[next]);
  }
  return (
    <div className="grid grid-cols-1 gap-3">
      <Switch
        label={messages.source}
        name="imageWay"
        className="w-fit"
        value={mode}
        choices={[
          ['upload', messages.upload],
          ['manual', messages.manual],
        ]}
        onChoose={go}
      />
      {mode === 'upload' ? (
        picker({ label, hint, error, value: value || null, onChange: (url) => give(url ?? '') })
      ) : (
        <Field label={messages.address} hint={messages.addressHint} error={error}>
          <Input
            name="imageUrl"
            type="url"
            inputMode="url"
            maxLength={REQUEST_MAX.link}
            autoComplete="off"
            value={value}
            onChange={(event) => give(event.target.value)}
          />
        </Field>
      )}
    </div>
  );
}

/** Message for an image that the server could not store; null when the error is about something else. */
export function useImageRefusal(): (error: unknown) => string | null {
  const messages = useText(adminImageFieldTexts).image;
  return (error) => {
    const { data } = error as { data?: { why?: keyof typeof messages.why; what?: string } };
    if (codeOf(error) === 'IMAGE_NOT_FETCHED') return messages.why[data?.why ?? 'unreachable'];
    return codeOf(error) === 'NOT_FOUND' && data?.what === 'image' ? messages.gone : null;
  };
}
