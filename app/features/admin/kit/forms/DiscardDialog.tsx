import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Dialog } from '#app/ui/controls/Dialog.tsx';

/** Asks before unsaved input is discarded; Escape keeps it. */
export function DiscardDialog(props: { open: boolean; onStay: () => void; onDiscard: () => void }) {
  const messages = useText(adminTexts).admin.form;
  return (
    <Dialog
      role="alertdialog"
      open={props.open}
      onOpenChange={(next) => !next && props.onStay()}
      title={messages.dirtyTitle}
      description={messages.dirtyText}
      actions={
        <>
          <Button onClick={props.onStay}>{messages.keepEditing}</Button>
          <Button variant="danger" onClick={props.onDiscard}>
            {messages.discard}
          </Button>
        </>
      }
    />
  );
}
