import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { When } from '#app/lib/format/When.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminDeliverablesTexts } from '#app/lib/messages/admin/deliverables.ts';
import { plansTexts } from '#app/lib/messages/plans.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import { Checkbox, Field, Input, Select, Textarea } from '#app/ui/controls/Field.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { AdminDeliverableTerms } from '#contract/admin/deliverables.ts';
import { dueFrom, termsForm } from '#contract/admin/forms/deliverables.ts';
import { DUE_DAYS_MAX } from '#contract/limits.ts';
import { FormDialog } from '../kit/forms/FormDialog.tsx';
import { useReopenedForm } from '../kit/forms/stored-forms.ts';
import { useAdminForm } from '../kit/forms/useAdminForm.ts';
import { LoadError } from '../kit/LoadError.tsx';
import { LoadingOrError } from '../kit/LoadingOrError.tsx';

/** Terms of each item of the plans: delivery time, consequence of missing it, and whether it can be delivered now. */
export function TermsPanel() {
  const text = useText(adminDeliverablesTexts, plansTexts);
  const messages = text.deliverables.terms;
  const query = useQuery(rpc.admin.deliverables.terms.queryOptions());
  const sales = useQuery(rpc.deliverables.terms.queryOptions());
  const [edited, setEdited] = useState<AdminDeliverableTerms | null>(null);
  useReopenedForm('terms', setEdited);
  const [read, setRead] = useState<AdminDeliverableTerms['item'] | null>(null);
  if (query.isError && !query.data)
    return <LoadError what={messages.loadFailed} of={query} className="admin-panel admin-note" />;
  if (!query.data)
    return (
      <SkeletonGroup label={messages.loading} className="grid gap-2">
        <Skeleton className="h-24 rounded-card" />
        <Skeleton className="h-24 rounded-card" />
      </SkeletonGroup>
    );
  const offSale = (item: string) =>
    sales.data?.plans
      .filter(({ missing }) => (missing as string[]).includes(item))
      .map(({ plan }) => text.plans.name[plan]);
  return (
    <>
      <ul className="grid grid-cols-1 gap-2">
        {query.data.map((one) => (
          <li key={one.item} className="admin-panel grid gap-1.5">
            <div className="flex flex-wrap items-center gap-2">
              <h2 className="text-base">{text.plans.item[one.item]}</h2>
              <Badge>{messages.version(one.version)}</Badge>
              {one.offered ? null : <Badge tone="coral">{messages.notOffered}</Badge>}
              <span className="ml-auto flex flex-wrap gap-2">
                <Button size="sm" onClick={() => setEdited(one)} aria-label={messages.edit(text.plans.item[one.item])}>
                  {messages.change}
                </Button>
                <Button
                  size="sm"
                  variant="ghost"
                  onClick={() => setRead(one.item)}
                  aria-label={messages.historyOf(text.plans.item[one.item])}
                >
                  {messages.history}
                </Button>
              </span>
            </div>
            <Terms of={one} />
            {one.offered || !offSale(one.item)?.length ? null : (
              <p className="text-sm font-semibold text-coral-text">
                {messages.offSale((offSale(one.item) ?? []).join(', '))}
              </p>
            )}
          </li>
        ))}
      </ul>
      {edited ? <TermsDialog key={edited.item} terms={edited} onClose={() => setEdited(null)} /> : null}
      {read ? <HistoryDialog item={read} onClose={() => setRead(null)} /> : null}
    </>
  );
}

function Terms({ of: one }: { of: AdminDeliverableTerms }) {
  const messages = useText(adminDeliverablesTexts).deliverables.terms;
  return (
    <>
      <p className="text-sm">
        {messages.dueDays}: <span className="figures">{one.dueDays}</span> · {messages.dueFrom}{' '}
        {messages.from[one.dueFrom]}
      </p>
      <p className="text-sm text-quiet whitespace-pre-line wrap-anywhere" lang="es">
        {one.ifNotEs}
      </p>
      <p className="text-sm text-quiet whitespace-pre-line wrap-anywhere" lang="en">
        {one.ifNotEn}
      </p>
    </>
  );
}

function HistoryDialog({ item, onClose }: { item: AdminDeliverableTerms['item']; onClose: () => void }) {
  const text = useText(adminDeliverablesTexts, plansTexts);
  const messages = text.deliverables.terms;
  const query = useQuery(rpc.admin.deliverables.termsHistory.queryOptions({ input: { item } }));
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={messages.historyOf(text.plans.item[item])}
      className="dialog-wide"
      actions={<Button onClick={onClose}>{messages.close}</Button>}
    >
      {query.data ? (
        <ol className="grid gap-3">
          {query.data.map((one) => (
            <li key={one.version} className="admin-sub grid gap-1">
              <p className="flex flex-wrap items-center gap-2">
                <strong>{messages.version(one.version)}</strong>
                {one.offered ? null : <Badge tone="coral">{messages.notOffered}</Badge>}
                {one.savedAt ? <When iso={one.savedAt} /> : null}
                {one.savedBy ? <span className="text-sm text-quiet">{messages.savedBy(one.savedBy)}</span> : null}
              </p>
              <Terms of={one} />
            </li>
          ))}
        </ol>
      ) : (
        <LoadingOrError
          query={query}
          loading={messages.loading}
          failed={messages.loadFailed}
          placeholders={['h-24 rounded-card']}
          className="admin-note"
        />
      )}
    </Dialog>
  );
}

function TermsDialog({ terms, onClose }: { terms: AdminDeliverableTerms; onClose: () => void }) {
  const text = useText(adminDeliverablesTexts, plansTexts);
  const messages = text.deliverables.terms;
  const queries = useQueryClient();
  const form = useAdminForm({
    initial: {
      dueFrom: terms.dueFrom as string,
      dueDays: String(terms.dueDays),
      ifNotEs: terms.ifNotEs,
      ifNotEn: terms.ifNotEn,
      offered: terms.offered,
    },
    version: terms.version,
    schema: termsForm,
    messages: {
      dueDays: messages.dueDaysWrong(DUE_DAYS_MAX),
      ifNotEs: messages.needed,
      ifNotEn: messages.needed,
    },
    failed: messages.failed,
    screen: 'tokens',
    stored: { form: 'terms', record: { ...terms, id: terms.item } },
    submit: async (values, version) => {
      const saved = await client.admin.deliverables.saveTerms({ item: terms.item, version, ...values });
      // As `putSaved` does in a list.
      queries.setQueryData(rpc.admin.deliverables.terms.queryKey(), (old) =>
        old?.map((one) => (one.item === saved.item ? saved : one)),
      );
      notify.success({ title: messages.saved });
      onClose();
      await Promise.all([
        queries.invalidateQueries({ queryKey: rpc.admin.deliverables.key() }),
        queries.invalidateQueries({ queryKey: rpc.deliverables.key() }),
      ]);
    },
  });
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={messages.edit(text.plans.item[terms.item])}
      submitLabel={messages.save}
      fieldNames={{
        dueFrom: messages.dueFrom,
        dueDays: messages.dueDays,
        ifNotEs: messages.ifNotEs,
        ifNotEn: messages.ifNotEn,
        offered: messages.offered,
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={messages.dueDays} error={form.errors.dueDays}>
          <Input {...form.text('dueDays')} inputMode="numeric" autoComplete="off" className="figures" />
        </Field>
        <Field label={messages.dueFrom}>
          <Select {...form.text('dueFrom')}>
            {dueFrom.options.map((one) => (
              <option key={one} value={one}>
                {messages.from[one]}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Field label={messages.ifNotEs} error={form.errors.ifNotEs}>
        <Textarea {...form.text('ifNotEs')} rows={4} lang="es" />
      </Field>
      <Field label={messages.ifNotEn} error={form.errors.ifNotEn}>
        <Textarea {...form.text('ifNotEn')} rows={4} lang="en" />
      </Field>
      <Checkbox {...form.flag('offered')} label={messages.offered} hint={messages.offeredHint} />
    </FormDialog>
  );
}
