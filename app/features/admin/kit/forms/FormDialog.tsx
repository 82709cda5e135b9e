import '../../facts.css';
import { type ReactNode, useState } from 'react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import { ConflictDialog } from './ConflictDialog.tsx';
import { DiscardDialog } from './DiscardDialog.tsx';
import { useLeaveGuard } from './leave-guard.ts';
import type { AnyForm } from './useAdminForm.ts';

interface FormProps {
  form: AnyForm;
  /** Labels of the fields, for resolving a conflict. */
  fieldNames: Record<string, string>;
  /** Labels for the values of fields with a choice, for resolving a conflict. */
  valueNames?: Record<string, Record<string, string>> | undefined;
  children: ReactNode;
}

interface FormDialogProps extends FormProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** Usually Crear or Actualizar; null while there is nothing to save. */
  submitLabel: string | null;
  busyLabel?: string;
  /** Default: 'Cancelar'. */
  cancelLabel?: string;
}

/** A form in a dialog: asks before unsaved input is discarded, closes when `onClose` is called after a save. */
export function FormDialog({
  form,
  fieldNames,
  valueNames,
  open,
  onClose,
  title,
  submitLabel,
  busyLabel,
  cancelLabel,
  children,
}: FormDialogProps) {
  const messages = useText(adminTexts).admin.form;
  const [confirming, setConfirming] = useState(false);
  // Also while it is being saved: a refusal after the form was closed would lose the typed values and report no
  // conflict.
  const leave = () => (form.dirty ? setConfirming(true) : onClose());
  return (
    <Dialog open={open} onOpenChange={(next) => !next && leave()} title={title} className="dialog-wide">
      <form ref={form.ref} onSubmit={form.onSubmit} noValidate aria-label={title} className="grid grid-cols-1 gap-4">
        {form.restored ? <Restored /> : null}
        {children}
        <div className="dialog-actions">
          <Button onClick={leave}>{cancelLabel ?? messages.cancel}</Button>
          {submitLabel === null ? null : (
            <Button type="submit" variant="primary" busy={form.busy} busyLabel={busyLabel ?? messages.saving}>
              {submitLabel}
            </Button>
          )}
        </div>
      </form>
      <FormGuards form={form} fieldNames={fieldNames} valueNames={valueNames} />
      <DiscardDialog
        open={confirming}
        onStay={() => setConfirming(false)}
        onDiscard={() => {
          setConfirming(false);
          onClose();
        }}
      />
    </Dialog>
  );
}

/** A form in the page itself, which renders its own buttons. */
export function InlineForm({ form, fieldNames, valueNames, label, children }: FormProps & { label: string }) {
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} noValidate aria-label={label}>
      {form.restored ? <Restored /> : null}
      {children}
      <FormGuards form={form} fieldNames={fieldNames} valueNames={valueNames} />
    </form>
  );
}

/** Notice that the input from before the session ended was restored. */
export function Restored() {
  const messages = useText(adminTexts).admin.form;
  return (
    <p role="status" className="admin-callout my-1 text-sm" data-tone="lead">
      {messages.restored}
    </p>
  );
}

/** Asks before the user leaves the page with unsaved input, and resolves conflicts with changes saved by others. */
function FormGuards({ form, fieldNames, valueNames }: Omit<FormProps, 'children'>) {
  useLeaveGuard(form.dirty && !form.busy);
  return <ConflictDialog form={form} fieldNames={fieldNames} valueNames={valueNames} />;
}
