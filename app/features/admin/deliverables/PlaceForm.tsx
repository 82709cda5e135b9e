import { client } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminDeliverablesTexts } from '#app/lib/messages/admin/deliverables.ts';
import { Field, Select } from '#app/ui/controls/Field.tsx';
import type { AdminDeliverable } from '#contract/admin/deliverables.ts';
import { placeForm, SPOTLIGHT_DAYS } from '#contract/admin/forms/deliverables.ts';
import { FormDialog } from '../kit/forms/FormDialog.tsx';
import { useAdminForm } from '../kit/forms/useAdminForm.ts';
import { useCloseAfterSave } from '../kit/forms/useCloseAfterSave.ts';
import { useRefusal } from './refusals.ts';

/** Assigns the sold place on home to a project of the order's token. */
export function PlaceForm({ row, name, onClose }: { row: AdminDeliverable; name: string; onClose: () => void }) {
  const messages = useText(adminDeliverablesTexts).deliverables;
  const refusal = useRefusal();
  const saved = useCloseAfterSave(onClose);
  const first = row.homes.find(({ onHome }) => onHome) ?? row.homes[0];
  const form = useAdminForm({
    initial: { kind: (first?.inTop3 ? 'top3' : 'home') as string, project: first?.id ?? '' },
    version: row.version,
    schema: placeForm,
    messages: { project: messages.placeNoProject },
    failed: (error) => ({ title: messages.placeFailed, text: refusal(error) }),
    screen: 'tokens',
    stored: { form: 'soldPlace', record: row },
    submit: async (values, version) => {
      await client.admin.deliverables.startPlace({ id: row.id, version, ...values });
      await saved(messages.placeStarted);
    },
  });
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={messages.placeOf(name)}
      submitLabel={messages.placeConfirm}
      fieldNames={{ kind: messages.placeKind, project: messages.placeProject }}
    >
      <p className="text-sm text-quiet">{messages.placeText(SPOTLIGHT_DAYS)}</p>
      <Field
        label={messages.placeProject}
        hint={row.homes.length === 0 ? messages.placeNoProject : undefined}
        error={form.errors.project}
      >
        <Select {...form.text('project')}>
          {row.homes.length === 0 ? <option value="">—</option> : null}
          {row.homes.map((home) => (
            <option key={home.id} value={home.id}>
              {messages.placeOption(
                home.name,
                messages.placeWhere[home.inTop3 ? 'top3' : home.onHome ? 'home' : 'away'],
              )}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={messages.placeKind}>
        <Select {...form.text('kind')}>
          <option value="home">{messages.placeKinds.home}</option>
          <option value="top3">{messages.placeKinds.top3}</option>
        </Select>
      </Field>
    </FormDialog>
  );
}
