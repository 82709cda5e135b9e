import { useText } from '#app/lib/i18n.tsx';
import { adminImageFieldTexts } from '#app/lib/messages/admin/image-field.ts';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { adminMarketTexts } from '#app/lib/messages/admin/market.ts';
import { adminProjectsTexts } from '#app/lib/messages/admin/projects.ts';
import { notify } from '#app/lib/notify.ts';
import { client } from '#app/lib/rpc.ts';
import { Checkbox, Field, Input } from '#app/ui/Field.tsx';
import type { ProjectStatus } from '#contract/admin/forms/projects.ts';
import type { AdminProject } from '#contract/admin/projects.ts';
import { NO_PLACE, PROJECT_ADDRESS_MIN, REQUEST_MAX } from '#contract/limits.ts';
import { FormDialog } from '../kit/FormDialog.tsx';
import { type ImagePicker, useImageRefusal } from '../kit/ImageField.tsx';
import { useAdminForm } from '../kit/useAdminForm.ts';
import { MarketNote } from '../market/MarketNote.tsx';
import { NetworkField } from '../market/NetworkField.tsx';
import { placeRefusal, useRecordFailure } from './failures.ts';
import {
  AddressField,
  DescriptionFields,
  ImagePart,
  LinkFields,
  NameFields,
  NotesPart,
  Part,
  ProgressField,
  StateFields,
} from './form-parts.tsx';
import { useProjectsRefresh } from './project-acts.ts';
import { integer, orderFault, tokenInput, tokenInvalid, tokenRules, tokenValues } from './token-values.ts';

export const STATUSES: readonly ProjectStatus[] = [
  'pending',
  'approved',
  'rejected',
  'published_home',
  'published_next',
];

const valuesOf = (project: AdminProject | null) => ({
  ...tokenValues(project),
  status: (project?.status ?? 'pending') as string,
  orderIndex: String(project?.orderIndex ?? NO_PLACE),
  holdersCount: String(project?.holdersCount ?? ''),
});

interface ProjectFormProps {
  /** Null: a new one. */
  project: AdminProject | null;
  picker: ImagePicker;
  onClose: () => void;
}

/** A project's form in a dialog; give it the project's id as key. */
export function ProjectForm({ project, picker, onClose }: ProjectFormProps) {
  const words = useText(adminProjectsTexts).projects;
  const marketWords = useText(adminMarketTexts).market;
  const common = useText(adminTexts).admin.form;
  const imageWords = useText(adminImageFieldTexts).image;
  const failure = useRecordFailure('projects');
  const refusal = useImageRefusal();
  const refresh = useProjectsRefresh();
  const { fault } = words;
  const form = useAdminForm({
    initial: valuesOf(project),
    version: project?.version ?? 0,
    rules: {
      ...tokenRules(fault, imageWords),
      tokenAddress: (address) =>
        !address.trim() ? fault.addressNeeded : address.trim().length < PROJECT_ADDRESS_MIN && fault.addressShort,
      holdersCount: (holders) =>
        String(holders).trim() !== '' && !/^\d{1,9}$/.test(String(holders).trim()) && fault.holders,
      orderIndex: (order, { status }) =>
        orderFault(order, fault) ||
        // A project that leaves home leaves its place by itself; taking one is refused.
        (isSlot(order) && status !== 'published_home' && integer(order, 0) !== project?.orderIndex && fault.placeHome),
    },
    invalid: {
      ...tokenInvalid(fault, imageWords),
      tokenAddress: fault.addressShort,
      holdersCount: fault.holders,
    },
    duplicate: { tokenAddress: words.failure.duplicate, orderIndex: fault.placeTaken },
    failed: failure(project ? 'update' : 'create'),
    faults: (error) => {
      const image = refusal(error);
      const why = placeRefusal(error);
      const place = { full: fault.placesFull, taken: fault.placeTaken, status: fault.placeHome };
      return { ...(image ? { imageUrl: image } : {}), ...(why ? { orderIndex: place[why] } : {}) };
    },
    screen: 'projects',
    kept: { form: 'project', record: project },
    submit: async (values, version) => {
      const holders = String(values.holdersCount).trim();
      const fields = {
        ...values,
        ...tokenInput(values),
        holdersCount: holders === '' ? null : integer(holders, 0),
        orderIndex: integer(values.orderIndex, 0),
        status: values.status as ProjectStatus,
      };
      if (project) await client.admin.projects.update({ id: project.id, version, ...fields });
      else await client.admin.projects.create(fields);
      notify.success({ title: project ? words.done.update : words.done.create });
      onClose();
      await refresh();
    },
  });
  const { field, hint, part } = words;
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={project ? words.editTitle(project.tokenName) : words.newTitle}
      submitLabel={project ? common.update : common.create}
      fieldNames={{ ...field, network: marketWords.network }}
      valueNames={{ status: words.status }}
    >
      <Part title={part.basics}>
        <NameFields form={form} hint={project ? hint.slug(project.tokenSlug) : null} />
        <AddressField form={form} name="tokenAddress" className="sm:col-span-2" />
        <DescriptionFields form={form} />
      </Part>
      <Part title={part.figures}>
        <Field label={field.marketCap} hint={hint.marketCap} error={form.errors.marketCap}>
          <Input {...form.text('marketCap')} maxLength={REQUEST_MAX.amount} placeholder="$0" autoComplete="off" />
        </Field>
        <ProgressField form={form} />
        <Field label={field.holdersCount} error={form.errors.holdersCount}>
          <Input {...form.text('holdersCount')} type="number" min={0} step={1} />
        </Field>
      </Part>
      <ImagePart form={form} picker={picker} title={part.image} />
      <Part title={part.links}>
        <LinkFields form={form} />
      </Part>
      <Part title={part.settings}>
        <StateFields
          form={form}
          statuses={STATUSES.map((status) => [status, words.status[status]] as const)}
          orderHint={hint.orderIndex}
        />
        <Checkbox {...form.flag('isFeatured')} label={field.isFeatured} hint={hint.isFeatured} />
      </Part>
      <Part title={part.price}>
        <AddressField form={form} name="contractAddress" hint={hint.contractAddress} className="sm:col-span-2" />
        <NetworkField form={form} className="sm:col-span-2" />
      </Part>
      {project ? <MarketNote kind="project" id={project.id} /> : null}
      <NotesPart form={form} title={part.notes} />
    </FormDialog>
  );
}

const isSlot = (typed: unknown) => [1, 2, 3].includes(integer(typed, 0));
