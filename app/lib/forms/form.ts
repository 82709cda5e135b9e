import { useState } from 'react';

/** Error messages by field. */
export type FieldErrors<F extends string> = Partial<Record<F, string>>;

/** Shows errors next to their fields and moves the focus to the first of them. */
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

/** The raw value of a form field. */
export const typed = (form: HTMLFormElement, name: string): string => String(new FormData(form).get(name) ?? '');
