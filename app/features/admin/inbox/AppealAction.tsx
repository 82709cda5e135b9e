import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminInboxTexts } from '#app/lib/messages/admin/inbox.ts';
import { removalTexts } from '#app/lib/messages/removals.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import { Field, Textarea } from '#app/ui/controls/Field.tsx';
import { REASON_MAX, REMOVAL_REASON_MIN } from '#contract/limits.ts';
import { useAdminFailure } from '../kit/failures.ts';
import { useLeaveGuard } from '../kit/forms/leave-guard.ts';
import { useDiscardQuestion } from '../kit/forms/useDiscardQuestion.tsx';
import { LoadError } from '../kit/LoadError.tsx';
import { useHold } from './useHold.ts';

interface AppealActionProps {
  id: string;
  title: string;
  /** As in `ItemProps`. */
  onHold: (held: boolean) => void;
}

/**
 * Shows an appeal with the removed text, the reason of the removal and the author's statement, to an admin who may decide. The one who
 * removed the text may decide only when nobody else on the team can.
 */
export function AppealAction({ id, title, onHold }: AppealActionProps) {
  const text = useText(removalTexts, adminInboxTexts);
  const [open, setOpen] = useState(false);
  useHold(open, onHold);
  const messages = text.removals.decide;
  const discard = useDiscardQuestion(() => setOpen(false));
  return (
    <>
      <Button
        size="sm"
        variant="soft"
        aria-label={text.inbox.nextOf(messages.open, title)}
        onClick={() => setOpen(true)}
      >
        {messages.open}
      </Button>
      <Dialog
        open={open}
        onOpenChange={(next) => (next ? setOpen(true) : discard.close())}
        title={messages.title}
        description={title}
      >
        {open ? (
          <Appeal id={id} onDone={() => setOpen(false)} onCancel={discard.close} onDirty={discard.setDirty} />
        ) : null}
        {discard.question}
      </Dialog>
    </>
  );
}

interface AppealProps {
  id: string;
  onDone: () => void;
  /** Closes the dialog; asks first when an answer was typed. */
  onCancel: () => void;
  onDirty: (dirty: boolean) => void;
}

function Appeal({ id, onDone, onCancel, onDirty }: AppealProps) {
  const { removals } = useText(removalTexts);
  const messages = removals.decide;
  const failure = useAdminFailure();
  const queries = useQueryClient();
  const query = useQuery(rpc.admin.forum.appeal.queryOptions({ input: { id } }));
  const [answer, setAnswer] = useState('');
  const decide = useMutation(
    rpc.admin.forum.decideAppeal.mutationOptions({
      onSuccess: async (_, { outcome }) => {
        notify.success({ title: messages[outcome] });
        await Promise.all([
          queries.invalidateQueries({ queryKey: rpc.admin.inbox.key() }),
          queries.invalidateQueries({ queryKey: rpc.admin.dashboard.counts.key() }),
        ]);
        onDone();
      },
      onError: (error) => notify.failed(error, { title: messages.failed, text: failure(error) }),
    }),
  );
  const dirty = answer.trim() !== '' && !decide.isPending;
  useLeaveGuard(dirty);
  useEffect(() => {
    onDirty(dirty);
    return () => onDirty(false);
  }, [dirty, onDirty]);
  if (query.isError) return <LoadError what={messages.failed} of={query} className="admin-note" />;
  if (!query.data) return <p role="status">{messages.loading}</p>;
  const { data } = query;
  const closed = data.decider === 'remover' || data.decider === 'author';
  const missing = answer.trim().length < REMOVAL_REASON_MIN;
  const submit = (outcome: 'upheld' | 'reversed') => decide.mutate({ id, outcome, answer: answer.trim() });
  return (
    <div className="grid gap-4">
      <dl className="grid gap-3 text-sm">
        <LabelledText label={removals.copy} text={data.content} />
        <LabelledText label={removals.rule} text={removals.rules[data.rule]} />
        <LabelledText label={removals.reason} text={data.reason} />
        <LabelledText label={messages.appeal} text={data.appeal} />
      </dl>
      <p className="text-sm text-quiet">
        {data.decider === 'free'
          ? data.removedByName && messages.removedBy(data.removedByName)
          : messages[data.decider]}
      </p>
      {closed ? null : (
        <Field label={messages.answer}>
          <Textarea
            rows={3}
            maxLength={REASON_MAX}
            value={answer}
            onChange={(event) => setAnswer(event.target.value)}
          />
        </Field>
      )}
      <div className="dialog-actions mt-2">
        <Button onClick={onCancel}>{messages.cancel}</Button>
        {closed ? null : (
          <>
            <Button disabled={missing} busy={decide.isPending} onClick={() => submit('upheld')}>
              {messages.uphold}
            </Button>
            <Button variant="primary" disabled={missing} busy={decide.isPending} onClick={() => submit('reversed')}>
              {messages.reverse}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

const LabelledText = ({ label, text }: { label: string; text: string }) => (
  <div>
    <dt className="text-quiet">{label}</dt>
    <dd className="wrap-anywhere whitespace-pre-line">{text}</dd>
  </div>
);
