import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import { Field, Input, Textarea } from '#app/ui/controls/Field.tsx';
import { REASON_MAX, TRASH_DAYS } from '#contract/limits.ts';
import { useLeaveGuard } from './forms/leave-guard.ts';
import { useDiscardQuestion } from './forms/useDiscardQuestion.tsx';

interface ConfirmDialogProps {
  open: boolean;
  onClose: () => void;
  /** Default: 'Confirmar Eliminación'. */
  title?: string;
  /** The question with the record's name, before the text. */
  question?: ReactNode;
  /** Default: that the record goes to the trash and can't be restored afterwards; null for none. */
  text?: ReactNode;
  /** Default: 'Eliminar' and, while it runs, 'Eliminando...'. */
  confirmLabel?: string;
  busyLabel?: string;
  /** Not a deletion: without the style of a dangerous action. */
  harmless?: boolean;
  /** Shows a field for the reason, which goes into the audit log. */
  reason?: 'optional' | 'required';
  /** More fields, above the reason. */
  children?: ReactNode;
  /** A word that has to be typed first, for actions that are hard to reverse. */
  typed?: string;
  /** A field above still needs a value. */
  blocked?: boolean;
  /** Executes the action; the dialog closes on success and stays open on failure. The caller reports the error. */
  onConfirm: (reason: string) => Promise<unknown>;
}

/** Asks for confirmation of an action that cannot be undone, or not easily. */
export function ConfirmDialog({ open, onClose, ...rest }: ConfirmDialogProps) {
  const messages = useText(adminTexts).admin.confirm;
  const { title = messages.title, text = <Deletion />, question } = rest;
  const discard = useDiscardQuestion(onClose);
  return (
    <Dialog
      role="alertdialog"
      open={open}
      onOpenChange={(next) => !next && discard.close()}
      title={title}
      description={
        <>
          {question ? <span className="mb-1 block text-text">{question}</span> : null}
          {text}
        </>
      }
    >
      {open ? <Answer onClose={onClose} onCancel={discard.close} onDirty={discard.setDirty} {...rest} /> : null}
      {discard.question}
    </Dialog>
  );
}

/** The default text: the record is moved to the trash, and the specified sentence about the time after that. */
function Deletion() {
  const messages = useText(adminTexts).admin.confirm;
  return (
    <>
      <span className="block">{messages.trash(TRASH_DAYS)}</span>
      <span className="mt-1 block">{messages.text}</span>
    </>
  );
}

interface AnswerProps extends Omit<ConfirmDialogProps, 'open' | 'title' | 'text' | 'question'> {
  /** Closes the dialog; asks first when a reason was typed. */
  onCancel: () => void;
  onDirty: (dirty: boolean) => void;
}

function Answer(props: AnswerProps) {
  const messages = useText(adminTexts).admin.confirm;
  const { onClose, onCancel, onDirty, onConfirm, reason: reasonMode, typed, harmless } = props;
  const [reason, setReason] = useState('');
  const [word, setWord] = useState('');
  const [missing, setMissing] = useState(false);
  const [busy, setBusy] = useState(false);
  const dirty = reason.trim() !== '';
  useLeaveGuard(dirty && !busy);
  useEffect(() => {
    onDirty(dirty);
    return () => onDirty(false);
  }, [dirty, onDirty]);
  const unready = props.blocked === true || (typed !== undefined && word.trim() !== typed);
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    // The dialog may be within another form's React tree: its submit event must not reach that form.
    event.stopPropagation();
    if (busy || unready) return;
    const none = reasonMode === 'required' && !reason.trim();
    setMissing(none);
    if (none) return (event.currentTarget.elements.namedItem('reason') as HTMLElement | null)?.focus();
    setBusy(true);
    try {
      await onConfirm(reason.trim());
      onClose();
    } catch (error) {
      // The record was deleted already: there is nothing left to confirm.
      if (codeOf(error) === 'NOT_FOUND') return onClose();
      setBusy(false);
    }
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      {props.children}
      {reasonMode ? (
        <Field label={messages.reason} hint={messages.reasonHint} error={missing ? messages.reasonNeeded : undefined}>
          <Textarea
            name="reason"
            rows={3}
            maxLength={REASON_MAX}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
      ) : null}
      {typed === undefined ? null : (
        <Field label={messages.typed(typed)}>
          <Input autoComplete="off" value={word} onChange={(event) => setWord(event.target.value)} />
        </Field>
      )}
      <div className="dialog-actions mt-2">
        <Button onClick={onCancel}>{messages.cancel}</Button>
        <Button
          type="submit"
          variant={harmless ? 'primary' : 'danger'}
          busy={busy}
          busyLabel={props.busyLabel ?? messages.deleting}
          disabled={unready}
        >
          {props.confirmLabel ?? messages.delete}
        </Button>
      </div>
    </form>
  );
}
