import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { Power } from 'lucide-react';
import { useEffect, useState } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { dateTime } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { adminNetworksTexts } from '#app/lib/messages/admin/networks.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button, IconButton } from '#app/ui/controls/Button.tsx';
import { Checkbox, Field, Input } from '#app/ui/controls/Field.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { networkForm } from '#contract/admin/forms/networks.ts';
import type { AdminNetwork } from '#contract/admin/networks.ts';
import { MANUAL_DAYS_MAX } from '#contract/limits.ts';
import { OthersEditing } from '../editorial/OthersEditing.tsx';
import { useAdminFailure } from '../kit/failures.ts';
import { DiscardDialog } from '../kit/forms/DiscardDialog.tsx';
import { InlineForm } from '../kit/forms/FormDialog.tsx';
import { useReopenedForm } from '../kit/forms/stored-forms.ts';
import { useAdminForm } from '../kit/forms/useAdminForm.ts';
import { AdminTable, type Column } from '../kit/list/AdminTable.tsx';
import { ShelfSwitch, TrashHint } from '../kit/list/filters.tsx';
import { tableText } from '../kit/list/table-text.ts';
import type { AdminList } from '../kit/list/useAdminList.ts';
import { notifyAndRefresh, useUndo } from '../kit/notices.ts';
import { putSaved } from '../kit/records/put-saved.ts';
import { type OpenRecord, RecordActions } from '../kit/records/RecordActions.tsx';
import { RecordDialogs } from '../kit/records/RecordDialogs.tsx';
import { useSeenBulk } from '../kit/records/useSeenBulk.tsx';
import { useTrashActions } from '../kit/records/useTrashActions.ts';
import { useTrashBulk } from '../kit/records/useTrashBulk.tsx';
import { useStepUp } from '../kit/StepUp.tsx';

const EMPTY = { name: '', symbol: '', isActive: true, manualDays: '' };
const valuesOf = ({ name, symbol, isActive, manualDays }: AdminNetwork) => ({
  name,
  symbol,
  isActive,
  manualDays: manualDays === null ? '' : String(manualDays),
});

/** Administration of networks: the form above, the list below. A tab of the token creation, and a screen of its own. */
export function NetworksPanel({ list }: { list: AdminList<AdminNetwork> }) {
  const messages = useText(adminNetworksTexts).networks;
  const locale = useLocale();
  /** The record in the form, and the one requested; they differ while the form has unsaved input. */
  const [edited, setEdited] = useState<AdminNetwork | null>(null);
  const [wanted, setWanted] = useState<AdminNetwork | null>(null);
  const edit = (network: AdminNetwork | null) => {
    setEdited(network);
    setWanted(network);
  };
  useReopenedForm<AdminNetwork>('network', edit);
  const [requested, setRequested] = useState<OpenRecord<AdminNetwork>>(null);
  const mutations = useNetworkActions();
  const trash = list.filter['shelf'] === 'trash';
  const switching = useSwitching();
  const trashing = useNetworkTrash(trash);

  const columns: Column<AdminNetwork>[] = [
    { key: 'name', header: messages.name, sort: 'name', lead: true, cell: ({ name }) => name },
    {
      key: 'symbol',
      header: messages.symbol,
      sort: 'symbol',
      cell: ({ symbol }) => <span className="figures">{symbol}</span>,
    },
    {
      key: 'state',
      header: messages.state,
      cell: ({ isActive }) => (
        <Badge tone={isActive ? 'mint' : 'neutral'}>{isActive ? messages.isActive : messages.isInactive}</Badge>
      ),
    },
    {
      key: 'delivery',
      header: messages.delivery,
      cell: ({ manualDays }) => (manualDays === null ? messages.bySigner : messages.byHand(manualDays)),
    },
    trash
      ? {
          key: 'deleted',
          header: messages.deleted,
          cell: ({ deletedAt }) => (deletedAt ? dateTime(deletedAt, locale) : ''),
        }
      : {
          key: 'created',
          header: messages.created,
          sort: 'createdAt',
          cell: ({ createdAt }) => dateTime(createdAt, locale),
        },
  ];
  return (
    <>
      {trash ? <TrashHint /> : null}
      {/* Stays mounted while the trash is shown: unsaved input must not get lost. */}
      <div hidden={trash}>
        <NetworkForm
          key={edited?.id ?? 'new'}
          edited={edited}
          leaving={wanted?.id !== edited?.id}
          onStay={() => setWanted(edited)}
          onLeave={() => edit(wanted)}
          onCancel={() => setWanted(null)}
          onDone={() => edit(null)}
        />
      </div>
      <AdminTable
        {...tableText(messages)}
        list={list}
        columns={columns}
        nameOf={({ name }) => name}
        filters={<ShelfSwitch list={list} />}
        screen="tokens"
        bulk={(selected, clear) => (
          <>
            {trash ? null : switching.bulk(selected, clear)}
            {trashing.bulk(selected, clear)}
          </>
        )}
        actions={(network) => (
          <RecordActions
            row={network}
            name={network.name}
            setOpen={(next) => (next?.what === 'form' ? setWanted(next.of) : setRequested(next))}
            onRestore={mutations.restore.mutate}
            editing={edited?.id === network.id}
            before={
              <IconButton
                size="sm"
                label={network.isActive ? messages.deactivate(network.name) : messages.activate(network.name)}
                aria-pressed={network.isActive}
                onClick={() => mutations.toggle(network)}
              >
                <Power aria-hidden="true" />
              </IconButton>
            }
          />
        )}
      />
      {switching.report}
      {trashing.dialogs}
      <RecordDialogs
        list={list}
        open={requested}
        setOpen={setRequested}
        resourceType="network"
        nameOf={({ name }) => name}
        onDelete={async (network) => {
          await mutations.remove.mutateAsync(network);
          if (edited?.id === network.id) edit(null);
        }}
      />
    </>
  );
}

/** Moves several networks to the trash, with one proof, or back. */
function useNetworkTrash(trash: boolean) {
  const queries = useQueryClient();
  const withProof = useStepUp();
  return useTrashBulk<AdminNetwork>(
    {
      remove: (records) => withProof(() => client.admin.networks.removeMany({ records })),
      restore: (ids, undo) => client.admin.networks.restoreMany({ ids, undo }),
    },
    {
      trash,
      nameOf: ({ name }) => name,
      refresh: () => queries.invalidateQueries({ queryKey: rpc.admin.networks.key() }),
      screen: 'tokens',
    },
  );
}

/** Switches several networks on or off. */
function useSwitching() {
  const messages = useText(adminNetworksTexts).networks;
  const queries = useQueryClient();
  return useSeenBulk<AdminNetwork, boolean>({
    choices: [
      { to: true, label: messages.activateAll, done: { title: messages.toast.updated } },
      { to: false, label: messages.deactivateAll, done: { title: messages.toast.updated } },
    ],
    is: ({ isActive }) => isActive,
    work: (records, isActive) => client.admin.networks.switchMany({ records, isActive }),
    failed: messages.toast.updateFailed,
    nameOf: ({ name }) => name,
    refresh: () => queries.invalidateQueries({ queryKey: rpc.admin.networks.key() }),
    screen: 'tokens',
  });
}

/** One-click actions; each shows a notice with its outcome and refetches the list. */
function useNetworkActions() {
  const messages = useText(adminNetworksTexts).networks.toast;
  const failure = useAdminFailure('tokens');
  const queries = useQueryClient();
  const withProof = useStepUp();
  const refresh = () => queries.invalidateQueries({ queryKey: rpc.admin.networks.key() });
  const withNotices = notifyAndRefresh(refresh);
  const undo = useUndo();
  const failed = (what: string) => (error: unknown) => ({ title: messages.error, text: `${what}. ${failure(error)}` });
  const { remove, restore } = useTrashActions({
    remove: (record) => withProof(() => client.admin.networks.remove(record)),
    restore: (record) => client.admin.networks.restore(record),
    notices: {
      remove: { done: messages.deleted, failed: failed(messages.deleteFailed) },
      restore: { done: messages.restored, failed: failed(messages.restoreFailed) },
    },
    refresh,
  });
  const toggle: UseMutationResult<AdminNetwork, unknown, AdminNetwork> = useMutation({
    mutationFn: ({ id, version, name, symbol, isActive, manualDays }: AdminNetwork) =>
      client.admin.networks.update({ id, version, name, symbol, isActive: !isActive, manualDays }),
    ...withNotices(
      (after: AdminNetwork) => ({ title: messages.updated, ...undo(() => toggle.mutate(after)) }),
      failed(messages.updateFailed),
    ),
  });
  return {
    restore,
    remove,
    toggle(network: AdminNetwork) {
      // A second press before the list is read again would meet a conflict with the first.
      if (!toggle.isPending || toggle.variables?.id !== network.id) toggle.mutate(network);
    },
  };
}

interface NetworkFormProps {
  /** Null for a new network. */
  edited: AdminNetwork | null;
  /** Another network is to be edited: asks first when there is unsaved input. */
  leaving: boolean;
  onStay: () => void;
  onLeave: () => void;
  onCancel: () => void;
  onDone: () => void;
}

function NetworkForm({ edited, leaving, onStay, onLeave, onCancel, onDone }: NetworkFormProps) {
  const messages = useText(adminNetworksTexts).networks;
  const common = useText(adminTexts).admin.form;
  const failure = useAdminFailure('tokens');
  const queries = useQueryClient();
  const form = useAdminForm({
    initial: edited ? valuesOf(edited) : EMPTY,
    version: edited?.version ?? 0,
    schema: networkForm,
    messages: {
      name: messages.nameNeeded,
      symbol: { missing: messages.symbolNeeded, invalid: messages.symbolLong },
      manualDays: messages.manualDaysWrong(MANUAL_DAYS_MAX),
    },
    duplicate: { name: messages.duplicateName, symbol: messages.duplicateSymbol },
    failed: (error) => ({
      title: messages.toast.error,
      text: `${edited ? messages.toast.updateFailed : messages.toast.createFailed}. ${failure(error)}`,
    }),
    stored: { form: 'network', record: edited },
    submit: async (values, version) => {
      const saved = edited
        ? await client.admin.networks.update({ id: edited.id, version, ...values })
        : await client.admin.networks.create(values);
      putSaved(queries, rpc.admin.networks.list.key(), saved);
      notify.success({ title: edited ? messages.toast.updated : messages.toast.created });
      form.reset(EMPTY);
      onDone();
      await queries.invalidateQueries({ queryKey: rpc.admin.networks.key() });
    },
  });
  const title = edited ? messages.editTitle(edited.name) : messages.newTitle;
  const { dirty, busy } = form;
  useEffect(() => {
    if (leaving && !dirty && !busy) onLeave();
  }, [leaving, dirty, busy, onLeave]);
  const { ref } = form;
  useEffect(() => {
    // The button is in the list, far below the form on a phone.
    if (edited) (ref.current?.elements.namedItem('name') as HTMLElement | null)?.focus();
  }, [edited, ref]);
  return (
    <section className="admin-panel">
      <h2>{title}</h2>
      <InlineForm
        form={form}
        label={title}
        fieldNames={{
          name: messages.name,
          symbol: messages.symbol,
          isActive: messages.active,
          manualDays: messages.manualDays,
        }}
      >
        {edited ? <OthersEditing kind="network" id={edited.id} /> : null}
        <div className="mt-3 grid grid-cols-1 items-start gap-x-4 gap-y-3 md:grid-cols-[2fr_1fr_1fr_auto]">
          <Field label={messages.name} error={form.errors.name}>
            <Input {...form.text('name')} autoComplete="off" />
          </Field>
          <Field label={messages.symbol} error={form.errors.symbol}>
            <Input {...form.text('symbol')} autoComplete="off" autoCapitalize="characters" />
          </Field>
          <Field label={messages.manualDays} hint={messages.manualDaysHint} error={form.errors.manualDays}>
            <Input {...form.text('manualDays')} inputMode="numeric" autoComplete="off" className="figures" />
          </Field>
          <Checkbox {...form.flag('isActive')} label={messages.active} className="md:mt-7" />
          <div className="flex flex-wrap gap-2 md:col-span-full">
            <Button type="submit" variant="primary" busy={form.busy} busyLabel={common.saving}>
              {edited ? common.update : messages.create}
            </Button>
            {edited ? <Button onClick={onCancel}>{common.cancel}</Button> : null}
          </div>
        </div>
      </InlineForm>
      <DiscardDialog open={leaving && dirty && !busy} onStay={onStay} onDiscard={onLeave} />
    </section>
  );
}
