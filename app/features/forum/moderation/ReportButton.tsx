import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Flag } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { useRetryAfterLostAnswer } from '#app/lib/api/retry-lost-answer.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { forumTexts } from '#app/lib/messages/forum.ts';
import { forumMemberTexts } from '#app/lib/messages/forum-member.ts';
import { reportTexts } from '#app/lib/messages/report.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button, IconButton } from '#app/ui/controls/Button.tsx';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import { Field, Select, Textarea } from '#app/ui/controls/Field.tsx';
import type { ReportReason } from '#contract/domains/forum.ts';
import { REASON_MAX } from '#contract/limits.ts';
import { forumFailure, refetchSessionIfRefused } from '../forum.queries.ts';

const REASONS: ReportReason[] = ['spam', 'scam', 'abuse', 'other'];

export interface Reportable {
  what: 'post' | 'comment';
  id: string;
  /** Title of the post, or author of the comment. */
  name: string;
}

/** Reports a text to the moderators; for members, on texts of others. */
export function ReportButton({ target }: { target: Reportable }) {
  const messages = useText(reportTexts).report;
  const [open, setOpen] = useState(false);
  const [note, setNote] = useState('');
  const close = () => {
    setOpen(false);
    setNote('');
  };
  return (
    <>
      <IconButton size="sm" label={messages[target.what](target.name)} onClick={() => setOpen(true)}>
        <Flag aria-hidden="true" />
      </IconButton>
      <Dialog
        open={open}
        onOpenChange={(next) => !next && close()}
        hasInput={note.trim() !== ''}
        title={messages.title}
        description={messages.text}
      >
        {open ? <ReportForm target={target} note={note} onNote={setNote} onDone={close} /> : null}
      </Dialog>
    </>
  );
}

/** A second report is refused: after a lost response, that shows that the first one arrived. */
const doneBefore = (refusal: unknown) =>
  codeOf(refusal) === 'ALREADY_DONE' ? Promise.resolve({ ok: true as const }) : undefined;

interface ReportFormProps {
  target: Reportable;
  note: string;
  onNote: (note: string) => void;
  onDone: () => void;
}

function ReportForm({ target, note, onNote, onDone }: ReportFormProps) {
  const text = useText(reportTexts, forumTexts, forumMemberTexts);
  const messages = text.report;
  const queries = useQueryClient();
  const send = useMutation(
    rpc.forum.report.mutationOptions({
      mutationFn: useRetryAfterLostAnswer(client.forum.report, doneBefore),
      onSuccess: () => {
        notify.success({ title: messages.done, text: messages.doneText });
        onDone();
      },
      onError: (error) => {
        refetchSessionIfRefused(queries, error);
        if (codeOf(error) !== 'ALREADY_DONE')
          return notify.failed(error, { title: messages.failed, text: forumFailure(error, text) });
        notify.success({ title: messages.already });
        onDone();
      },
    }),
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (send.isPending) return;
    const values = new FormData(event.currentTarget);
    send.mutate({
      what: target.what,
      id: target.id,
      reason: String(values.get('reason')) as ReportReason,
      note,
    });
  }
  return (
    <form onSubmit={submit} className="grid gap-4" aria-label={messages.title}>
      <Field label={messages.reason}>
        <Select name="reason">
          {REASONS.map((reason) => (
            <option key={reason} value={reason}>
              {messages.reasons[reason]}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={messages.note} optional={messages.optional}>
        <Textarea value={note} rows={3} maxLength={REASON_MAX} onChange={({ target: { value } }) => onNote(value)} />
      </Field>
      <div className="dialog-actions mt-2">
        <Button onClick={onDone}>{messages.cancel}</Button>
        <Button type="submit" variant="primary" busy={send.isPending} busyLabel={messages.sending}>
          {messages.submit}
        </Button>
      </div>
    </form>
  );
}
