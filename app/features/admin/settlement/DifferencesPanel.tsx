import { useQuery } from '@tanstack/react-query';
import { MessageSquareText } from 'lucide-react';
import { useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { When } from '#app/lib/format/When.tsx';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminMoneyTexts } from '#app/lib/messages/admin/money.ts';
import { coinsTexts } from '#app/lib/messages/coins.ts';
import { IconButton } from '#app/ui/controls/Button.tsx';
import { Field, Textarea } from '#app/ui/controls/Field.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { explainForm } from '#contract/admin/forms/settlement.ts';
import type { SettlementDifference } from '#contract/admin/settlement.ts';
import { useAdminFailure } from '../kit/failures.ts';
import { FormDialog } from '../kit/forms/FormDialog.tsx';
import { useReopenedForm } from '../kit/forms/stored-forms.ts';
import { useAdminForm } from '../kit/forms/useAdminForm.ts';
import { useCloseAfterSave } from '../kit/forms/useCloseAfterSave.ts';
import { AdminTable, type Column } from '../kit/list/AdminTable.tsx';
import { ListSelect } from '../kit/list/filters.tsx';
import { tableText } from '../kit/list/table-text.ts';
import type { AdminList } from '../kit/list/useAdminList.ts';
import { useStepUp } from '../kit/StepUp.tsx';
import { differenceAmount } from './difference-amount.ts';

const STATES = ['open', 'explained', 'gone'] as const;
const stateOf = ({ goneAt, explainedAt }: SettlementDifference) =>
  goneAt ? 'gone' : explainedAt ? 'explained' : 'open';

/** Differences between the money ledger and the provider's deposits. */
export function DifferencesPanel({ list }: { list: AdminList<SettlementDifference> }) {
  const messages = useText(adminMoneyTexts).settlement;
  const { on } = useText(coinsTexts).coins;
  const locale = useLocale();
  const [requested, setRequested] = useState<SettlementDifference | null>(null);
  useReopenedForm('settlementDifference', setRequested);
  const runs = useQuery(rpc.admin.settlement.runs.queryOptions()).data?.runs;
  // Until one comparison was complete, an empty list proves nothing.
  const compared = runs?.some(({ state }) => state === 'whole') ?? false;
  const amount = (name: 'ours' | 'theirs'): Column<SettlementDifference> => ({
    key: name,
    header: messages[name],
    cell: (row) => (
      <span className="figures admin-wrapping grid text-sm">
        {row[name] ? differenceAmount(row[name], row.asset, locale, on) : '—'}
      </span>
    ),
  });
  const columns: Column<SettlementDifference>[] = [
    {
      key: 'what',
      header: messages.what,
      lead: true,
      cell: (row) => (
        <span className="grid">
          <span>{messages.kinds[row.kind]}</span>
          <span className="figures text-sm text-quiet wrap-anywhere">{row.subject}</span>
          {row.orderId && row.orderId !== row.subject ? (
            <span className="figures text-sm text-quiet">{row.orderId}</span>
          ) : null}
        </span>
      ),
    },
    amount('ours'),
    amount('theirs'),
    {
      key: 'state',
      header: messages.state,
      cell: (row) => (
        <span className="grid">
          <Badge tone={stateOf(row) === 'open' ? 'coral' : 'neutral'}>{messages.states[stateOf(row)]}</Badge>
          {row.reason ? <span className="text-sm text-quiet wrap-anywhere">{row.reason}</span> : null}
        </span>
      ),
    },
    { key: 'found', header: messages.found, sort: 'foundAt', cell: ({ foundAt }) => <When iso={foundAt} /> },
  ];
  return (
    <>
      <AdminTable
        {...tableText(messages)}
        list={list}
        columns={columns}
        nameOf={({ subject }) => subject}
        filters={
          <ListSelect
            list={list}
            name="state"
            label={messages.state}
            options={[['', messages.all], ...STATES.map((state) => [state, messages.states[state]] as const)]}
          />
        }
        empty={
          compared
            ? { title: messages.empty, text: messages.emptyText }
            : { title: messages.neverWhole, ...(runs ? { text: messages.neverWholeText } : {}) }
        }
        screen="tokens"
        actions={(row) =>
          stateOf(row) === 'gone' ? null : (
            <IconButton size="sm" label={messages.explainOf(row.subject)} onClick={() => setRequested(row)}>
              <MessageSquareText aria-hidden="true" />
            </IconButton>
          )
        }
      />
      {requested ? <ExplainForm row={requested} onClose={() => setRequested(null)} /> : null}
    </>
  );
}

function ExplainForm({ row, onClose }: { row: SettlementDifference; onClose: () => void }) {
  const messages = useText(adminMoneyTexts).settlement;
  const failure = useAdminFailure('tokens');
  const saved = useCloseAfterSave(onClose);
  const withProof = useStepUp();
  const form = useAdminForm({
    initial: { reason: row.reason ?? '' },
    version: row.version,
    schema: explainForm,
    messages: { reason: messages.reasonNeeded },
    failed: (error) => ({
      title: messages.explainFailed,
      text: codeOf(error) === 'ALREADY_DONE' ? messages.gone : failure(error),
    }),
    screen: 'tokens',
    stored: { form: 'settlementDifference', record: row },
    submit: async (values, version) => {
      await withProof(() => client.admin.settlement.explain({ id: row.id, version, ...values }));
      await saved(messages.explained);
    },
  });
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={messages.explainOf(row.subject)}
      submitLabel={messages.explain}
      fieldNames={{ reason: messages.reason, ours: messages.ours, theirs: messages.theirs }}
    >
      <p className="text-sm">{messages.kinds[row.kind]}</p>
      <Field label={messages.reason} hint={messages.reasonHint} error={form.errors.reason}>
        <Textarea {...form.text('reason')} rows={3} />
      </Field>
    </FormDialog>
  );
}
