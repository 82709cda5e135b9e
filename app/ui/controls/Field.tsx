import { CircleAlert } from 'lucide-react';
import { type ComponentProps, createContext, type ReactNode, useContext, useId } from 'react';
import { cx } from '../cx.ts';

export interface FieldControl {
  id?: string | undefined;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: true | undefined;
}

const FieldContext = createContext<FieldControl>({});

/** Attributes for a native control inside `Field`: `<input {...useField()} />`. The controls of this file use it automatically. */
export function useField(): FieldControl {
  return useContext(FieldContext);
}

export interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** Message of the failed check; empty when valid. */
  error?: ReactNode;
  /** Word for "optional", shown at the end of the label. */
  optional?: ReactNode;
  className?: string | undefined;
  /** One `Input`, `Textarea`, `Select` or native control. */
  children: ReactNode;
}

/** Label, control, hint and error of one value, tied together for assistive technology. */
export function Field({ label, hint, error, optional, className, children }: FieldProps) {
  const id = useId();
  const hintId = hint ? `${id}-hint` : undefined;
  const errorId = error ? `${id}-error` : undefined;
  const control: FieldControl = {
    id,
    'aria-describedby': cx(errorId, hintId) || undefined,
    'aria-invalid': error ? true : undefined,
  };
  return (
    <div className={cx('field', className)}>
      <label className="field-label" htmlFor={id}>
        <span>{label}</span>
        {optional ? <span className="field-optional">{optional}</span> : null}
      </label>
      <FieldContext value={control}>{children}</FieldContext>
      {error ? <FieldError id={errorId}>{error}</FieldError> : null}
      {hint ? (
        <p className="field-hint" id={hintId}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}

/** An error message, shown next to its field. */
export function FieldError({ id, children }: { id?: string | undefined; children: ReactNode }) {
  return (
    <p className="field-error" id={id}>
      <CircleAlert aria-hidden="true" />
      <span>{children}</span>
    </p>
  );
}

/** A text input. Inside `Field` it takes its id and description from there. */
export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...useField()} {...rest} className={cx('control', className)} />;
}

/** A multi-line text input. */
export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...useField()} {...rest} className={cx('control', className)} />;
}

/** The native select: the best one on phones and with a keyboard. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select {...useField()} {...rest} className={cx('control', className)} />;
}

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
}

/** A checkbox with its own label; used alone, not inside `Field`. */
export function Checkbox({ label, hint, error, className, ...rest }: CheckboxProps) {
  const id = useId();
  return (
    <div className={className}>
      <label className="check" htmlFor={id}>
        <input
          {...rest}
          id={id}
          type="checkbox"
          className="check-box"
          aria-describedby={cx(error ? `${id}-error` : '', hint ? `${id}-hint` : '') || undefined}
          aria-invalid={error ? true : undefined}
        />
        <span>{label}</span>
      </label>
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      {hint ? (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}
