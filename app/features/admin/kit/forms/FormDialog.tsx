import '../../facts.css';
import { type ReactNode, useState } from 'react';
import { useBlocker } from 'react-router';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import { ConflictDialog } from './ConflictDialog.tsx';
import { type AnyForm, useUnloadGuard } from './useAdminForm.ts';

interface FormProps {
  form: AnyForm;
  /** Names of the fields, for the choice after a conflict. */
  fieldNames: Record<string, string>;
  /** There too: words for the values of fields with a choice. */
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
  /** 'Cancelar' unless said otherwise. */
  cancelLabel?: string;
}

/** A form in a dialog: asks before it throws away what was typed, closes when `onClose` is called after a save. */
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
  const [asking, setConfirming] = useState(false);
  const leave = () => (form.dirty && !form.busy ? setConfirming(true) : onClose());
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
        open={asking}
        onStay={() => setConfirming(false)}
        onDiscard={() => {
          setConfirming(false);
          onClose();
        }}
      />
    </Dialog>
  );
}

/** A form on the page itself: the buttons are its own business. */
export function InlineForm({ form, fieldNames, valueNames, label, children }: FormProps & { label: string }) {
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} noValidate aria-label={label}>
      {form.restored ? <Restored /> : null}
      {children}
      <FormGuards form={form} fieldNames={fieldNames} valueNames={valueNames} />
    </form>
  );
}

/** Says that these are the words from before the session ended. */
export function Restored() {
  const messages = useText(adminTexts).admin.form;
  return (
    <p role="status" className="admin-callout my-1 text-sm" data-tone="lead">
      {messages.restored}
    </p>
  );
}

/** Asks before the page is left with unsaved words, and when somebody else saved first. */
function FormGuards({ form, fieldNames, valueNames }: Omit<FormProps, 'children'>) {
  return (
    <>
      <ConflictDialog form={form} fieldNames={fieldNames} valueNames={valueNames} />
      {form.dirty && !form.busy ? <LeaveGuard /> : null}
    </>
  );
}

/** There can be one at a time: only a form with unsaved words has it. */
function LeaveGuard() {
  useUnloadGuard();
  const blocker = useBlocker(({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname);
  return (
    <DiscardDialog
      open={blocker.state === 'blocked'}
      onStay={() => blocker.reset?.()}
      onDiscard={() => blocker.proceed?.()}
    />
  );
}

/** The question before typed words are thrown away. */
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
