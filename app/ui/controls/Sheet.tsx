import { type ReactNode, useEffect, useRef } from 'react';
import { cx } from '../cx.ts';
import { IconButton } from './Button.tsx';
import { CloseIcon } from './frame-icons.tsx';

export interface SheetProps {
  open: boolean;
  onClose: () => void;
  /** Name of the panel; also shown at its top. */
  title: string;
  closeLabel: string;
  id?: string | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/**
 * A panel from the right, for the menu on phones. A native modal dialog: the browser traps the focus, Escape closes it and the focus
 * returns to the button that opened it. The caller closes it when the address changes.
 */
export function Sheet({ open, onClose, title, closeLabel, id, className, children }: SheetProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog || dialog.open === open) return;
    if (open) dialog.showModal();
    else dialog.close();
  }, [open]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click is on the backdrop; Escape does the same.
    <dialog
      ref={ref}
      id={id}
      aria-label={title}
      className={cx('sheet', className)}
      onClose={onClose}
      onClick={(event) => {
        if (event.target !== event.currentTarget) return;
        const box = event.currentTarget.getBoundingClientRect();
        if (event.clientX < box.left || event.clientX > box.right) onClose();
      }}
    >
      <div className="mb-3 flex items-center justify-between gap-4">
        <span className="font-display text-lg font-bold">{title}</span>
        <IconButton label={closeLabel} onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </div>
      {children}
    </dialog>
  );
}
