import { type FormEvent, type ReactNode, useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import { Field, Input, Textarea } from '#app/ui/controls/Field.tsx';
import { REPORT_NOTE_MAX, TRASH_DAYS } from '#contract/limits.ts';

interface ConfirmDialogProps {
  open: boolean;
  onClose: () => void;
  /** 'Confirmar Eliminación' unless said otherwise. */
  title?: string;
  /** Before the text: the question itself, with the record's name. */
  question?: ReactNode;
  /** That it cannot be undone, but for the trash, unless said otherwise; null for none. */
  text?: ReactNode;
  /** 'Eliminar' and 'Eliminando...' unless said otherwise. */
  confirmLabel?: string;
  busyLabel?: string;
  /** Of what is no deletion. */
  harmless?: boolean;
  /** Asks why; the answer belongs into the audit. */
  reason?: 'optional' | 'required';
  /** More to choose, above the reason. */
  children?: ReactNode;
  /** A word that has to be typed first, for what is hard to mend. */
  typed?: string;
  /** Something above has to be answered first. */
  blocked?: boolean;
  /** Does it; the dialog closes when it is done and stays when it failed. The caller says why it failed. */
  onConfirm: (reason: string) => Promise<unknown>;
}

/** The question before what cannot be undone, or not easily. */
export function ConfirmDialog({ open, onClose, ...rest }: ConfirmDialogProps) {
  const messages = useText(adminTexts).admin.confirm;
  const { title = messages.title, text = <Deletion />, question } = rest;
  return (
    <Dialog
      role="alertdialog"
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={title}
      description={
        <>
          {question ? <span className="mb-1 block text-text">{question}</span> : null}
          {text}
        </>
      }
    >
      {open ? <Answer onClose={onClose} {...rest} /> : null}
    </Dialog>
  );
}

/** The way back that there is, and the documents' sentence for the time after it. */
function Deletion() {
  const messages = useText(adminTexts).admin.confirm;
  return (
    <>
      <span className="block">{messages.trash(TRASH_DAYS)}</span>
      <span className="mt-1 block">{messages.text}</span>
    </>
  );
}

function Answer(props: Omit<ConfirmDialogProps, 'open' | 'title' | 'text' | 'question'>) {
  const messages = useText(adminTexts).admin.confirm;
  const { onClose, onConfirm, reason: asks, typed, harmless } = props;
  const [reason, setReason] = useState('');
  const [word, setWord] = useState('');
  const [missing, setMissing] = useState(false);
  const [busy, setBusy] = useState(false);
  const unready = props.blocked === true || (typed !== undefined && word.trim() !== typed);
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    // The question may stand in another form's tree: its submit is not that form's.
    event.stopPropagation();
    if (busy || unready) return;
    const none = asks === 'required' && !reason.trim();
    setMissing(none);
    if (none) return (event.currentTarget.elements.namedItem('reason') as HTMLElement | null)?.focus();
    setBusy(true);
    try {
      await onConfirm(reason.trim());
      onClose();
    } catch (error) {
      // It is gone already: there is nothing left to confirm.
      if (codeOf(error) === 'NOT_FOUND') return onClose();
      setBusy(false);
    }
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      {props.children}
      {asks ? (
        <Field label={messages.reason} hint={messages.reasonHint} error={missing ? messages.reasonNeeded : undefined}>
          <Textarea
            name="reason"
            rows={3}
            maxLength={REPORT_NOTE_MAX}
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
        <Button onClick={onClose}>{messages.cancel}</Button>
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
