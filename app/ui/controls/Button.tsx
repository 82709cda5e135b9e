import { type ComponentProps, type FocusEvent, type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { cx } from '../cx.ts';
import { type ButtonLook, buttonClass } from './button-class.ts';

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'>, Omit<ButtonLook, 'icon'> {
  /** Shows a spinner, ignores further clicks and announces it; unlike `disabled`, it keeps the focus. */
  busy?: boolean | undefined;
  /** Replaces the children while busy. */
  busyLabel?: ReactNode;
}

type Native = ComponentProps<'button'>;

/** A button that is disabled while it has the focus keeps it until blur: the focus is never lost. */
function useHeld({ disabled, onFocus, onBlur, ...rest }: Native): Native {
  const [held, setHeld] = useState(false);
  const off = disabled === true && held;
  return {
    ...rest,
    disabled: disabled === true && !held,
    'aria-disabled': off || rest['aria-disabled'],
    onFocus: (event: FocusEvent<HTMLButtonElement>) => {
      setHeld(true);
      onFocus?.(event);
    },
    onBlur: (event: FocusEvent<HTMLButtonElement>) => {
      setHeld(false);
      onBlur?.(event);
    },
    onClick: off ? (event) => event.preventDefault() : rest.onClick,
  };
}

/**
 * The button for every action. At most one `primary` per view, `soft` where the same action repeats; `danger` only behind a
 * confirmation. The type defaults to `button`, so a form needs `type="submit"`. While `busy`, clicks (and submits) are ignored.
 */
export function Button({ variant, size, busy, busyLabel, className, children, ...native }: ButtonProps) {
  const { onClick, ...rest } = useHeld(native);
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass({ variant, size, className: cx(busy && 'btn-busy', className) })}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled']}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy ? <span className="btn-spin" aria-hidden="true" /> : null}
      {busy && busyLabel != null ? busyLabel : children}
    </button>
  );
}

export interface ButtonLinkProps extends Omit<ComponentProps<typeof Link>, 'className'>, Omit<ButtonLook, 'icon'> {}

/** A router link that looks like a button: use it when the click changes the address. */
export function ButtonLink({ variant, size, className, ...rest }: ButtonLinkProps) {
  return <Link {...rest} className={buttonClass({ variant, size, className })} />;
}

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'className'>, Omit<ButtonLook, 'icon'> {
  /** The accessible name of the action, also shown on hover. */
  label: string;
}

/** A button that is only an icon. The label is required because nothing else names it. */
export function IconButton({ label, variant = 'ghost', size, className, ...native }: IconButtonProps) {
  const rest = useHeld(native);
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={buttonClass({ variant, size, icon: true, className })}
    />
  );
}
