import { useQueryClient } from '@tanstack/react-query';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { when } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminVotingTexts } from '#app/lib/messages/admin/voting.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Field, Input } from '#app/ui/controls/Field.tsx';
import { newRoundForm, nextRoundForm, roundEndForm } from '#contract/admin/forms/rounds.ts';
import { ROUND_DAYS } from '#contract/limits.ts';
import { FormDialog } from '../kit/FormDialog.tsx';
import { useStepUp } from '../kit/StepUp.tsx';
import { useAdminForm } from '../kit/useAdminForm.ts';
import type { OpenRound } from './RoundActs.tsx';

/** As `<input type="datetime-local">` wants it: the reader's own time, without a zone. */
function localTime(iso: string): string {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Moves the end of the open round. */
export function EndForm({ round, onClose }: { round: OpenRound; onClose: () => void }) {
  const messages = useText(adminVotingTexts).voting.round;
  const locale = useLocale();
  const queries = useQueryClient();
  const withProof = useStepUp();
  const form = useAdminForm({
    initial: { closesAt: localTime(round.closesAt) },
    schema: roundEndForm,
    messages: { closesAt: messages.endNeeded },
    readers: { closesAt: (typed) => (Number.isNaN(Date.parse(typed)) ? null : new Date(typed).toISOString()) },
    check: ({ closesAt }) => ({ closesAt: Date.parse(closesAt) <= Date.now() && messages.endPast }),
    failed: messages.endFailed,
    screen: 'votes',
    stored: { form: 'roundEnd', record: { id: round.id } },
    submit: async ({ closesAt }) => {
      await withProof(() => client.admin.rounds.setEnd({ id: round.id, seenClosesAt: round.closesAt, closesAt }));
      notify.success({ title: messages.endMoved });
      onClose();
      await queries.invalidateQueries({ queryKey: rpc.admin.rounds.key() });
    },
  });
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={messages.setEnd}
      submitLabel={messages.save}
      fieldNames={{ closesAt: messages.endLabel }}
    >
      <Field
        label={messages.endLabel}
        hint={
          Number.isNaN(Date.parse(form.values.closesAt))
            ? undefined
            : when(new Date(form.values.closesAt).toISOString(), locale)
        }
        error={form.errors.closesAt}
      >
        <Input {...form.text('closesAt')} type="datetime-local" />
      </Field>
    </FormDialog>
  );
}

/** What follows the open round: another one of so many days, or a pause. */
export function NextRoundForm({ round, onClose }: { round: OpenRound; onClose: () => void }) {
  const messages = useText(adminVotingTexts).voting.round;
  const queries = useQueryClient();
  const form = useAdminForm({
    initial: { nextDays: round.nextDays === null ? '' : String(round.nextDays) },
    schema: nextRoundForm,
    messages: { nextDays: messages.nextWrong },
    readers: { nextDays: (typed) => (typed.trim() === '' ? null : Number(typed)) },
    failed: messages.nextFailed,
    screen: 'votes',
    stored: { form: 'roundNext', record: { id: round.id } },
    submit: async ({ nextDays }) => {
      await client.admin.rounds.setNext({ id: round.id, nextDays });
      notify.success({ title: messages.nextSaved });
      onClose();
      await queries.invalidateQueries({ queryKey: rpc.admin.rounds.key() });
    },
  });
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={messages.setNext}
      submitLabel={messages.save}
      fieldNames={{ nextDays: messages.nextLabel }}
    >
      <Field label={messages.nextLabel} hint={messages.nextHint} error={form.errors.nextDays}>
        <Input {...form.text('nextDays')} inputMode="numeric" maxLength={3} autoComplete="off" />
      </Field>
    </FormDialog>
  );
}

/** Opens a round while voting pauses. */
export function NewRoundForm({ onClose }: { onClose: () => void }) {
  const messages = useText(adminVotingTexts).voting.round;
  const queries = useQueryClient();
  const form = useAdminForm({
    initial: { days: String(ROUND_DAYS) },
    schema: newRoundForm,
    messages: { days: messages.openWrong },
    readers: { days: (typed) => (typed.trim() === '' ? null : Number(typed)) },
    failed: messages.openFailed,
    screen: 'votes',
    stored: { form: 'newRound', record: null },
    submit: async ({ days }) => {
      const { number } = await client.admin.rounds.open({ days });
      notify.success({ title: messages.openedNow(number) });
      onClose();
      await queries.invalidateQueries({ queryKey: rpc.admin.rounds.key() });
    },
  });
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={messages.open}
      submitLabel={messages.open}
      fieldNames={{ days: messages.openLabel }}
    >
      <Field label={messages.openLabel} error={form.errors.days}>
        <Input {...form.text('days')} inputMode="numeric" maxLength={3} autoComplete="off" />
      </Field>
    </FormDialog>
  );
}
