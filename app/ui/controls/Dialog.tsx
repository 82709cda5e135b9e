import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cx } from '../cx.ts';
import { closed, opened } from './focus.ts';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  /** Buttons, the safe one first: it receives the focus when nothing else in the dialog does. */
  actions?: ReactNode;
  /** `alertdialog` for confirmations of actions that cannot be undone. */
  role?: 'dialog' | 'alertdialog' | undefined;
  className?: string | undefined;
  /** True while it has input that Escape, or a click outside, would discard: then only its buttons close it. */
  hasInput?: boolean;
  /** Receives the focus when the dialog closes; only for a dialog with a child that has `autoFocus`. */
  opener?: HTMLElement | null | undefined;
  children?: ReactNode;
}

/** A notice is above a dialog: a click on it is not a click outside of the dialog. */
function isOnNotice(event: Event): boolean {
  if ((event.target as Element).closest('[data-sonner-toaster]')) return true;
  if (!(event instanceof PointerEvent)) return false;
  return [...document.querySelectorAll('[data-sonner-toast][data-visible="true"]')].some((notice) => {
    const { left, right, top, bottom } = notice.getBoundingClientRect();
    return event.clientX >= left && event.clientX <= right && event.clientY >= top && event.clientY <= bottom;
  });
}

/**
 * A modal dialog: focuses its first field, traps the focus, closes on Escape, returns the focus. A child with `autoFocus` takes the
 * focus before it is known to what it has to be returned: `opener` names that.
 */
export function Dialog(props: DialogProps) {
  const { open, onOpenChange, title, description, actions, role, className, hasInput, opener, children } = props;
  return (
    <Radix.Root open={open} onOpenChange={(next) => (next || !hasInput) && onOpenChange(next)}>
      <Radix.Portal>
        <Radix.Overlay className="veil" />
        <Radix.Content
          className={cx('dialog', className)}
          {...(role ? { role } : {})}
          onOpenAutoFocus={(event) => opened(event.currentTarget as Element)}
          onInteractOutside={(event) => {
            if (isOnNotice(event.detail.originalEvent)) event.preventDefault();
          }}
          // Without its own trigger Radix would not restore the focus.
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            closed(event.currentTarget as Element, opener);
          }}
          {...(description == null ? { 'aria-describedby': undefined } : {})}
        >
          <Radix.Title className="text-[1.375rem]">{title}</Radix.Title>
          {description == null ? null : (
            <Radix.Description className="mt-2 text-quiet">{description}</Radix.Description>
          )}
          {children == null ? null : <div className="mt-4">{children}</div>}
          {actions == null ? null : <div className="dialog-actions">{actions}</div>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
