import { useState } from 'react';

/** What is wrong, by field. */
export type FieldErrors<F extends string> = Partial<Record<F, string>>;

/** Shows what is wrong beside its field and brings the focus to the first of them. */
export function useFieldErrors<F extends string>() {
  const [fieldErrors, setFieldErrors] = useState<FieldErrors<F>>({});
  return {
    fieldErrors,
    show: (form: HTMLFormElement | null, next: FieldErrors<F>) => {
      setFieldErrors(next);
      const first = Object.keys(next)[0];
      if (first) (form?.elements.namedItem(first) as HTMLElement | null)?.focus();
    },
  };
}

/** What was typed into a field of a form, as it is. */
export const typed = (form: HTMLFormElement, name: string): string => String(new FormData(form).get(name) ?? '');
