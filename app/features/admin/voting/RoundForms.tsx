import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminVotingTexts } from '#app/lib/messages/admin/voting.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Field, Input } from '#app/ui/controls/Field.tsx';
import { newRoundForm, nextRoundForm, roundEndForm } from '#contract/admin/forms/rounds.ts';
import { MomentInput } from '../kit/dates/DateInput.tsx';
import { FormDialog } from '../kit/forms/FormDialog.tsx';
import type { FormSchema } from '../kit/forms/form-schema.ts';
import { type AdminForm, type FormSpec, useAdminForm } from '../kit/forms/useAdminForm.ts';
import { useStepUp } from '../kit/StepUp.tsx';
import type { OpenRound } from './RoundActions.tsx';

type Name = 'closesAt' | 'nextDays' | 'days';
type Value<N extends Name> = Record<N, string>;

interface RoundForm<N extends Name, S extends FormSchema>
  extends Pick<FormSpec<Value<N>, S>, 'schema' | 'check' | 'stored'> {
  name: N;
  /** Initial value of the field. */
  initial: string;
  /** Label of the field, and the message for an invalid value. */
  label: string;
  needed: string;
  title: string;
  submitLabel: string;
  failed: string;
  /** Saves the parsed input, and returns the texts of its notice. */
  save: (input: Parameters<FormSpec<Value<N>, S>['submit']>[0]) => Promise<string>;
  onClose: () => void;
  field: (form: AdminForm<Value<N>>) => ReactNode;
  hint?: string;
}

/** One form about a round in a dialog; after a save the queries of rounds are refetched. */
function RoundDialog<N extends Name, S extends FormSchema>(props: RoundForm<N, S>) {
  const { name, label, title, submitLabel, onClose } = props;
  const queries = useQueryClient();
  const form = useAdminForm<Value<N>, S>({
    initial: { [name]: props.initial } as Value<N>,
    schema: props.schema,
    messages: { [name]: props.needed } as FormSpec<Value<N>, S>['messages'],
    check: props.check,
    failed: props.failed,
    screen: 'votes',
    stored: props.stored,
    submit: async (input) => {
      notify.success({ title: await props.save(input) });
      onClose();
      await queries.invalidateQueries({ queryKey: rpc.admin.rounds.key() });
    },
  });
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={title}
      submitLabel={submitLabel}
      fieldNames={{ [name]: label }}
    >
      <Field label={label} hint={props.hint} error={form.errors[name]}>
        {props.field(form)}
      </Field>
    </FormDialog>
  );
}

const DAYS = { inputMode: 'numeric', maxLength: 3, autoComplete: 'off' } as const;

/** Changes the end of the open round. */
export function EndForm({ round, onClose }: { round: OpenRound; onClose: () => void }) {
  const messages = useText(adminVotingTexts).voting.round;
  const withProof = useStepUp();
  return (
    <RoundDialog
      name="closesAt"
      initial={round.closesAt}
      schema={roundEndForm}
      needed={messages.endNeeded}
      check={({ closesAt }) => ({ closesAt: Date.parse(closesAt) <= Date.now() && messages.endPast })}
      label={messages.endLabel}
      title={messages.setEnd}
      submitLabel={messages.save}
      failed={messages.endFailed}
      stored={{ form: 'roundEnd', record: round }}
      save={async ({ closesAt }) => {
        await withProof(() => client.admin.rounds.setEnd({ id: round.id, seenClosesAt: round.closesAt, closesAt }));
        return messages.endMoved;
      }}
      onClose={onClose}
      field={(form) => (
        <MomentInput name="closesAt" value={form.values.closesAt} onChange={(iso) => form.set('closesAt', iso)} />
      )}
    />
  );
}

/** What follows the open round: another one of a number of days, or a pause. */
export function NextRoundForm({ round, onClose }: { round: OpenRound; onClose: () => void }) {
  const messages = useText(adminVotingTexts).voting.round;
  return (
    <RoundDialog
      name="nextDays"
      initial={round.nextDays === null ? '' : String(round.nextDays)}
      schema={nextRoundForm}
      needed={messages.nextWrong}
      label={messages.nextLabel}
      hint={messages.nextHint}
      title={messages.setNext}
      submitLabel={messages.save}
      failed={messages.nextFailed}
      stored={{ form: 'roundNext', record: round }}
      save={async ({ nextDays }) => {
        await client.admin.rounds.setNext({ id: round.id, nextDays });
        return messages.nextSaved;
      }}
      onClose={onClose}
      field={(form) => <Input {...form.text('nextDays')} {...DAYS} />}
    />
  );
}

/** Opens a round while voting is paused. */
export function NewRoundForm({ days, onClose }: { days: number; onClose: () => void }) {
  const messages = useText(adminVotingTexts).voting.round;
  return (
    <RoundDialog
      name="days"
      initial={String(days)}
      schema={newRoundForm}
      needed={messages.openWrong}
      label={messages.openLabel}
      hint={messages.openHint}
      title={messages.open}
      submitLabel={messages.open}
      failed={messages.openFailed}
      stored={{ form: 'newRound', record: null }}
      save={async ({ days }) => {
        const { number } = await client.admin.rounds.open({ days });
        return messages.openedNow(number);
      }}
      onClose={onClose}
      field={(form) => <Input {...form.text('days')} {...DAYS} />}
    />
  );
}
