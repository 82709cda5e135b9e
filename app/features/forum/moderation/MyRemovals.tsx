import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId } from 'react';
import { codeOf, failureText } from '#app/lib/api/failure.ts';
import { useRetryAfterLostAnswer } from '#app/lib/api/retry-lost-answer.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { fullDateTime } from '#app/lib/format/format.ts';
import { typed } from '#app/lib/forms/form.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { TextInItsLanguage } from '#app/lib/i18n/TextInItsLanguage.tsx';
import { serverClock } from '#app/lib/live/clock.ts';
import { removalTexts } from '#app/lib/messages/removals.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Field, Textarea } from '#app/ui/controls/Field.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { Section } from '#app/ui/layout/Page.tsx';
import type { MyRemoval } from '#contract/domains/forum.ts';
import { APPEAL_MAX } from '#contract/limits.ts';
import { removalState } from './removal-state.ts';
import { myRemovalsQuery } from './removals.queries.ts';

/** A member's own removed texts: content, reason, and the one appeal. */
export function MyRemovals() {
  const text = useText(removalTexts);
  const messages = text.removals;
  const { data, error } = useQuery(myRemovalsQuery());
  if (!data)
    return error ? (
      <Section title={messages.mine}>
        <p role="alert">{failureText(error, text)}</p>
      </Section>
    ) : null;
  return (
    <Section title={messages.mine}>
      {data.length === 0 ? (
        <p className="text-quiet">{messages.mineEmpty}</p>
      ) : (
        <ul className="grid gap-4">
          {data.map((removal) => (
            <li key={removal.id}>
              <Removal removal={removal} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Removal({ removal }: { removal: MyRemoval }) {
  const messages = useText(removalTexts).removals;
  const locale = useLocale();
  const heading = useId();
  const state = removalState({ ...removal, appealed: removal.appeal !== null });
  const open = removal.outcome === null && removal.appeal === null;
  const inTime = Date.parse(removal.appealUntil) > serverClock.now();
  return (
    <article className="card p-4" aria-labelledby={heading}>
      <p className="flex flex-wrap items-center gap-2">
        <Badge>{messages.kinds[removal.what]}</Badge>
        <Badge tone={state === 'reversed' || state === 'published' || state === 'restored' ? 'mint' : 'coral'}>
          {messages.states[state]}
        </Badge>
        <time dateTime={removal.at} className="text-sm text-quiet">
          {fullDateTime(removal.at, locale)}
        </time>
      </p>
      <h3 id={heading} className="mt-2 text-lg font-bold wrap-anywhere">
        <TextInItsLanguage>{removal.title}</TextInItsLanguage>
      </h3>
      <dl className="mt-2 grid gap-2">
        <LabelledText label={messages.copy} text={removal.content} />
        <LabelledText label={messages.rule} text={messages.rules[removal.rule]} />
        <LabelledText label={messages.reason} text={removal.reason} />
        {removal.appeal === null ? null : <LabelledText label={messages.yours} text={removal.appeal} />}
        {removal.answer === null ? null : <LabelledText label={messages.answer} text={removal.answer} />}
      </dl>
      {removal.decidedAlone ? <p className="mt-2 text-quiet">{messages.decidedAlone}</p> : null}
      {state === 'appealed' ? <p className="mt-2 text-quiet">{messages.waiting}</p> : null}
      {open && inTime ? <AppealForm removal={removal} /> : null}
      {open && !inTime ? <p className="mt-2 text-quiet">{messages.over}</p> : null}
    </article>
  );
}

function AppealForm({ removal }: { removal: MyRemoval }) {
  const text = useText(removalTexts);
  const messages = text.removals;
  const locale = useLocale();
  const queries = useQueryClient();
  const send = useMutation(
    rpc.forum.appeal.mutationOptions({
      // Only one appeal is possible: after a lost response, ALREADY_DONE shows that it arrived.
      mutationFn: useRetryAfterLostAnswer(client.forum.appeal, (refusal) =>
        codeOf(refusal) === 'ALREADY_DONE' ? Promise.resolve({ ok: true as const }) : undefined,
      ),
      onSuccess: () => notify.success({ title: messages.sent, text: messages.sentText }),
      onError: (error) => notify.failed(error, { title: messages.failed, text: failureText(error, text) }),
      onSettled: () => queries.invalidateQueries({ queryKey: rpc.forum.myRemovals.key() }),
    }),
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const appealText = typed(event.currentTarget, 'text').trim();
    if (appealText && !send.isPending) send.mutate({ id: removal.id, text: appealText });
  }
  return (
    <form onSubmit={submit} className="mt-3 grid gap-3" aria-label={messages.appealOf(removal.title)}>
      <Field label={messages.appealLabel} hint={messages.until(fullDateTime(removal.appealUntil, locale))}>
        <Textarea name="text" rows={3} maxLength={APPEAL_MAX} minLength={3} required />
      </Field>
      <Button
        type="submit"
        variant="primary"
        className="justify-self-start"
        busy={send.isPending}
        busyLabel={messages.sending}
      >
        {messages.appeal}
      </Button>
    </form>
  );
}

const LabelledText = ({ label, text }: { label: string; text: string }) => (
  <div>
    <dt className="text-sm text-quiet">{label}</dt>
    <dd className="wrap-anywhere whitespace-pre-line">{text}</dd>
  </div>
);
