import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { failureText } from '#app/lib/api/failure.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { fullDateTime } from '#app/lib/format/format.ts';
import { typed } from '#app/lib/forms/form.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { reviewTexts } from '#app/lib/messages/review.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Field, Input, Select } from '#app/ui/controls/Field.tsx';
import { Section } from '#app/ui/layout/Page.tsx';
import type { Trust, TrustChange, TrustLevel } from '#contract/domains/forum-review.ts';
import { REASON_MAX, REMOVAL_REASON_MIN, USERNAME_MAX } from '#contract/limits.ts';

const LEVELS: TrustLevel[] = [0, 1, 2];

/** A member's level of trust, its history, and the actions of staff on it. */
export function TrustPanel() {
  const text = useText(reviewTexts);
  const messages = text.review.trust;
  const [requested, setRequested] = useState('');
  const { data, error, isFetching } = useQuery(
    rpc.forum.trust.queryOptions({ input: { username: requested }, enabled: requested !== '' }),
  );
  function search(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setRequested(typed(event.currentTarget, 'username').trim());
  }
  return (
    <Section title={messages.heading}>
      <form onSubmit={search} className="flex flex-wrap items-end gap-3">
        <Field label={messages.name}>
          <Input name="username" required maxLength={USERNAME_MAX} autoComplete="off" />
        </Field>
        <Button type="submit" busy={isFetching}>
          {messages.look}
        </Button>
      </form>
      {error ? (
        <p role="alert" className="mt-3">
          {messages.unknown}. {failureText(error, text)}
        </p>
      ) : null}
      {data && !error ? <Level key={data.userId} trust={data} /> : null}
    </Section>
  );
}

function Level({ trust }: { trust: Trust }) {
  const text = useText(reviewTexts);
  const messages = text.review.trust;
  const queries = useQueryClient();
  /** The choice since the last change; until then the current level. */
  const [chosen, setChosen] = useState<TrustLevel | 'rules' | null>(null);
  const level = chosen ?? trust.level;
  const [reason, setReason] = useState('');
  const texts = {
    onError: (error: unknown) => notify.failed(error, { title: messages.failed, text: failureText(error, text) }),
    onSettled: () => queries.invalidateQueries({ queryKey: rpc.forum.trust.key() }),
  };
  const save = useMutation(
    rpc.forum.setTrust.mutationOptions({
      ...texts,
      onSuccess: () => {
        setReason('');
        setChosen(null);
        notify.success({ title: messages.saved });
      },
    }),
  );
  const undo = useMutation(
    rpc.forum.undoTrust.mutationOptions({
      ...texts,
      onSuccess: () => {
        setReason('');
        setChosen(null);
        notify.success({ title: messages.undone });
      },
    }),
  );
  const last = trust.changes[0];
  const short = reason.trim().length < REMOVAL_REASON_MIN;
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!short) save.mutate({ userId: trust.userId, level: level === 'rules' ? null : level, reason: reason.trim() });
  }
  return (
    <div className="card mt-4 grid gap-4 p-4">
      <div>
        <h3 className="text-lg font-bold">
          <bdi>{messages.level(trust.username, trust.level)}</bdi>
        </h3>
        <p className="text-quiet">{trust.held ? messages.held : messages.free}</p>
      </div>
      <form onSubmit={submit} className="grid gap-3" aria-label={messages.set}>
        <Field label={messages.set}>
          <Select
            value={String(level)}
            onChange={({ target }) =>
              setChosen(target.value === 'rules' ? 'rules' : (Number(target.value) as TrustLevel))
            }
          >
            {LEVELS.map((one) => (
              <option key={one} value={one}>
                {messages.choices[one]}
              </option>
            ))}
            <option value="rules">{messages.choices.rules}</option>
          </Select>
        </Field>
        <Field label={messages.reason} hint={messages.reasonHint}>
          <Input
            required
            minLength={REMOVAL_REASON_MIN}
            maxLength={REASON_MAX}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        </Field>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" disabled={short} busy={save.isPending}>
            {messages.save}
          </Button>
          {last ? (
            <Button
              disabled={short}
              busy={undo.isPending}
              onClick={() => undo.mutate({ userId: trust.userId, changeId: last.id, reason: reason.trim() })}
            >
              {messages.undo}
            </Button>
          ) : null}
        </div>
      </form>
      <div>
        <h4 className="font-semibold">{messages.changes}</h4>
        {trust.changes.length === 0 ? <p className="text-quiet">{messages.none}</p> : null}
        <ul className="mt-1 grid gap-2">
          {trust.changes.map((change) => (
            <Change key={change.id} change={change} />
          ))}
        </ul>
      </div>
    </div>
  );
}

function Change({ change }: { change: TrustChange }) {
  const messages = useText(reviewTexts).review.trust;
  const locale = useLocale();
  const { from, to, cause, counted, reason, by, at } = change;
  return (
    <li className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      <time dateTime={at} className="text-quiet">
        {fullDateTime(at, locale)}
      </time>
      <strong>{messages.change(from, to)}</strong>
      <span>{messages.causes[cause]}</span>
      {by ? <bdi>{by}</bdi> : null}
      {counted ? <span>{messages.counted(counted.days, counted.texts, counted.removals)}</span> : null}
      {reason ? <span className="wrap-anywhere">{reason}</span> : null}
    </li>
  );
}
