import { codeOf } from '#app/lib/api/failure.ts';
import { client } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminDeliverablesTexts } from '#app/lib/messages/admin/deliverables.ts';
import { Field, Input, Select, Textarea } from '#app/ui/controls/Field.tsx';
import type { AdminDeliverable } from '#contract/admin/deliverables.ts';
import { deliverForm } from '#contract/admin/forms/deliverables.ts';
import { FormDialog } from '../kit/forms/FormDialog.tsx';
import type { ImagePicker } from '../kit/forms/ImageField.tsx';
import { useAdminForm } from '../kit/forms/useAdminForm.ts';
import { useCloseAfterSave } from '../kit/forms/useCloseAfterSave.ts';
import { useRefusal } from './refusals.ts';

interface DeliverFormProps {
  row: AdminDeliverable;
  name: string;
  /** Renders the upload of an image. */
  picker: ImagePicker;
  onClose: () => void;
}

/** Kinds of evidence that each kind of deliverable accepts; the server enforces the same rule. */
const KINDS: Record<AdminDeliverable['kind'], readonly ('url' | 'transaction' | 'file')[]> = {
  token: ['transaction', 'url'],
  chain: ['transaction', 'url'],
  document: ['url', 'file'],
  publication: ['url', 'file'],
  service: ['url', 'file'],
};

/** Marks a deliverable as delivered, with its evidence. */
export function DeliverForm({ row, name, picker, onClose }: DeliverFormProps) {
  const messages = useText(adminDeliverablesTexts).deliverables;
  const refusal = useRefusal();
  const saved = useCloseAfterSave(onClose);
  const kinds = KINDS[row.kind];
  const form = useAdminForm({
    initial: { kind: kinds[0] as string, evidence: '', note: '' },
    version: row.version,
    schema: deliverForm,
    messages: { evidence: messages.evidenceNeeded },
    fieldErrors: (error) => {
      const code = codeOf(error);
      if (code === 'NOT_FOUND') return { evidence: messages.refused.notThere };
      return code === 'EVIDENCE_REFUSED' || code === 'EVIDENCE_USED' ? { evidence: refusal(error) } : {};
    },
    failed: (error) => ({ title: messages.deliverFailed, text: refusal(error) }),
    screen: 'tokens',
    stored: { form: 'deliver', record: row },
    submit: async (values, version) => {
      await client.admin.deliverables.deliver({ id: row.id, version, ...values });
      await saved(messages.delivered);
    },
  });
  const { kind } = form.values;
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={messages.deliverOf(name)}
      submitLabel={messages.deliverConfirm}
      fieldNames={{ kind: messages.kind, evidence: messages.evidence, note: messages.note }}
    >
      <p className="text-sm text-quiet">{messages.deliverText}</p>
      <Field label={messages.kind}>
        <Select
          {...form.text('kind')}
          onChange={({ target }) => {
            form.set('kind', target.value);
            form.set('evidence', '');
          }}
        >
          {kinds.map((one) => (
            <option key={one} value={one}>
              {messages.kinds[one]}
            </option>
          ))}
        </Select>
      </Field>
      {kind === 'file' ? (
        picker({
          label: messages.evidence,
          error: form.errors.evidence,
          value: form.values.evidence || null,
          onChange: (url) => form.set('evidence', url ?? ''),
        })
      ) : (
        <Field
          label={messages.evidence}
          hint={kind === 'url' ? messages.urlHint : messages.transactionHint}
          error={form.errors.evidence}
        >
          <Input
            {...form.text('evidence')}
            className={kind === 'transaction' ? 'figures' : undefined}
            inputMode={kind === 'url' ? 'url' : 'text'}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
      )}
      <Field label={messages.note} error={form.errors.note} optional>
        <Textarea {...form.text('note')} rows={3} />
      </Field>
    </FormDialog>
  );
}
