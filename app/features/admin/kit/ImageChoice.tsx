import { type ReactNode, useState } from 'react';
import { useText } from '#app/lib/i18n.tsx';
import { adminImageTexts } from '#app/lib/messages/admin/image.ts';
import { Field, Input } from '#app/ui/Field.tsx';
import { REQUEST_MAX } from '#contract/limits.ts';

/** Where the route puts the upload, which is another feature's. */
export interface ImageSlot {
  label: ReactNode;
  value: string | null;
  error?: ReactNode;
  onChange: (url: string | null) => void;
}
export type RenderImage = (slot: ImageSlot) => ReactNode;

interface ImageChoiceProps {
  /** Of the form; empty for none. */
  value: string;
  error?: string | undefined;
  onChange: (url: string) => void;
  image: RenderImage;
}

/** An image of a form: a file that is uploaded here, or an address that the server takes its copy from. */
export function ImageChoice({ value, error, onChange, image }: ImageChoiceProps) {
  const words = useText(adminImageTexts).image;
  const elsewhere = /^https?:/.test(value);
  const [typed, setTyped] = useState(elsewhere);
  return (
    <div className="grid gap-2">
      <fieldset className="bs-switch justify-self-start">
        <legend className="visually-hidden">{words.how}</legend>
        {[false, true].map((way) => (
          <label key={String(way)}>
            <input
              type="radio"
              name="imageWay"
              className="visually-hidden"
              checked={typed === way}
              onChange={() => setTyped(way)}
            />
            {way ? words.address : words.upload}
          </label>
        ))}
      </fieldset>
      {typed ? (
        <Field label={words.addressLabel} hint={words.addressHint} error={error}>
          <Input
            name="imageUrl"
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            maxLength={REQUEST_MAX.link}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        </Field>
      ) : (
        image({ label: words.label, value: value || null, error, onChange: (url) => onChange(url ?? '') })
      )}
    </div>
  );
}
