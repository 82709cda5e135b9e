import { useQuery } from '@tanstack/react-query';
import { CalendarClock } from 'lucide-react';
import { useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { dateTime } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminEditorialTexts } from '#app/lib/messages/admin/editorial.ts';
import { IconButton } from '#app/ui/controls/Button.tsx';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import { Field } from '#app/ui/controls/Field.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { Schedule } from '#contract/admin/editorial.ts';
import { scheduleForm } from '#contract/admin/forms/editorial.ts';
import type { ScheduledKind } from '#contract/admin/shared/audit-actions.ts';
import { MomentInput } from '../kit/dates/DateInput.tsx';
import { FormDialog } from '../kit/forms/FormDialog.tsx';
import { useAdminForm } from '../kit/forms/useAdminForm.ts';
import { useCloseAfterSave } from '../kit/forms/useCloseAfterSave.ts';
import { LoadingOrError } from '../kit/LoadingOrError.tsx';
import { PreviewLink } from './PreviewLink.tsx';

const schedulesQuery = (kind: ScheduledKind) => rpc.admin.editorial.schedules.queryOptions({ input: { kind } });

/** Schedules of the records of a list, by record id. */
export function useSchedules(kind: ScheduledKind): ReadonlyMap<string, Schedule> {
  const { data } = useQuery(schedulesQuery(kind));
  return new Map(data?.map((one) => [one.id, one]));
}

/** Badges that show the schedule of a record. */
export function Planned({ schedule }: { schedule: Schedule | undefined }) {
  const messages = useText(adminEditorialTexts).editorial.schedule;
  const locale = useLocale();
  if (!schedule) return null;
  return (
    <>
      {schedule.publishAt ? <Badge tone="sky">{messages.appears(dateTime(schedule.publishAt, locale))}</Badge> : null}
      {schedule.expireAt ? <Badge tone="neutral">{messages.goes(dateTime(schedule.expireAt, locale))}</Badge> : null}
    </>
  );
}

/** The button of a row that opens its schedule. */
export function ScheduleButton({ name, onClick }: { name: string; onClick: () => void }) {
  const messages = useText(adminEditorialTexts).editorial.schedule;
  return (
    <IconButton size="sm" label={messages.of(name)} onClick={onClick}>
      <CalendarClock aria-hidden="true" />
    </IconButton>
  );
}

interface ScheduleDialogProps {
  kind: ScheduledKind;
  record: { id: string; version: number };
  name: string;
  onClose: () => void;
}

/** When a record is published and removed automatically, and a preview link. */
export function ScheduleDialog(props: ScheduleDialogProps) {
  const messages = useText(adminEditorialTexts).editorial.schedule;
  // Refetched each time the dialog opens; changes that arrive while it is open must not change the values under the user's edits.
  const query = useQuery({ ...schedulesQuery(props.kind), staleTime: 0, refetchOnMount: 'always' });
  const [read, setRead] = useState<{ planned: Schedule | undefined }>();
  if (!read && query.data && !query.isFetching)
    setRead({ planned: query.data.find(({ id }) => id === props.record.id) });
  if (read) return <ScheduleForm {...props} planned={read.planned} />;
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && props.onClose()}
      title={messages.of(props.name)}
      className="dialog-wide"
    >
      <LoadingOrError
        query={query}
        loading={messages.loading}
        failed={messages.loadFailed}
        placeholders={['h-16', 'h-16']}
        className="grid justify-items-start gap-3"
      />
    </Dialog>
  );
}

type Why = 'order' | 'past' | 'ended' | 'shown';

function ScheduleForm({
  kind,
  record,
  name,
  planned,
  onClose,
}: ScheduleDialogProps & { planned: Schedule | undefined }) {
  const messages = useText(adminEditorialTexts).editorial.schedule;
  const saved = useCloseAfterSave(onClose);
  const form = useAdminForm({
    initial: { publishAt: planned?.publishAt ?? '', expireAt: planned?.expireAt ?? '' },
    version: record.version,
    schema: scheduleForm,
    messages: { publishAt: messages.noMoment, expireAt: messages.noMoment },
    fieldErrors: (error): { publishAt?: string; expireAt?: string } => {
      if (codeOf(error) !== 'SCHEDULE_REFUSED') return {};
      const { why } = (error as { data: { why: Why } }).data;
      return { [why === 'past' || why === 'shown' ? 'publishAt' : 'expireAt']: messages.refused[why] };
    },
    failed: messages.failed,
    stored: { form: `${kind}Schedule`, record },
    submit: async (moments, version) => {
      await client.admin.editorial.setSchedule({ kind, id: record.id, version, ...moments });
      await saved(messages.saved);
    },
  });
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={messages.of(name)}
      submitLabel={messages.save}
      fieldNames={{ publishAt: messages.publishAt, expireAt: messages.expireAt }}
    >
      <p className="max-w-[46rem] text-sm text-quiet">{messages.lead}</p>
      <Field label={messages.publishAt} hint={messages.publishHint} error={form.errors.publishAt}>
        <MomentInput name="publishAt" value={form.values.publishAt} onChange={(iso) => form.set('publishAt', iso)} />
      </Field>
      <Field label={messages.expireAt} hint={messages.expireHint} error={form.errors.expireAt}>
        <MomentInput name="expireAt" value={form.values.expireAt} onChange={(iso) => form.set('expireAt', iso)} />
      </Field>
      <PreviewLink kind={kind} id={record.id} />
    </FormDialog>
  );
}
