import { useText } from '#app/lib/i18n.tsx';
import { Button } from '#app/ui/Button.tsx';
import { Dialog } from '#app/ui/Dialog.tsx';

interface ConfirmProps {
  question: string;
  open: boolean;
  busy: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before something is deleted. */
export function Confirm({ question, open, busy, onClose, onConfirm }: ConfirmProps) {
  const text = useText();
  return (
    <Dialog
      role="alertdialog"
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={question}
      description={text.forum.confirmText}
      actions={
        <>
          <Button onClick={onClose}>{text.forum.cancel}</Button>
          <Button variant="danger" busy={busy} busyLabel={text.forum.deleting} onClick={onConfirm}>
            {text.forum.delete}
          </Button>
        </>
      }
    />
  );
}
