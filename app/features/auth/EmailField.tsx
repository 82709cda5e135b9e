import type { ComponentProps } from 'react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { authTexts } from '#app/lib/messages/auth.ts';
import { Field, Input } from '#app/ui/controls/Field.tsx';

/** The field for the mailbox of an account; other properties are of its input. */
export function EmailField({ error, ...input }: { error?: string | undefined } & ComponentProps<'input'>) {
  const text = useText(authTexts);
  return (
    <Field label={text.auth.email} error={error}>
      <Input name="email" type="email" autoComplete="email" inputMode="email" required {...input} />
    </Field>
  );
}
