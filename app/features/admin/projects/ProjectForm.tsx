import { client } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { adminMarketTexts } from '#app/lib/messages/admin/market.ts';
import { adminProjectsTexts } from '#app/lib/messages/admin/projects.ts';
import { Checkbox, Field, Input } from '#app/ui/controls/Field.tsx';
import { projectForm, projectStatus } from '#contract/admin/forms/projects.ts';
import type { AdminProject } from '#contract/admin/projects.ts';
import { PUBLIC_TEXTS } from '#contract/fields/project-texts.ts';
import { DEFAULT_ORDER_INDEX, PODIUM_SLOTS } from '#contract/limits.ts';
import { OthersEditing } from '../editorial/OthersEditing.tsx';
import { FormDialog } from '../kit/forms/FormDialog.tsx';
import type { ImagePicker } from '../kit/forms/ImageField.tsx';
import { LinkFields } from '../kit/forms/LinkFields.tsx';
import { useResemblance } from '../kit/records/useResemblance.tsx';
import { MarketNote } from '../market/MarketNote.tsx';
import { NetworkField } from '../market/NetworkField.tsx';
import { placeRefusal } from './failures.ts';
import {
  AddressField,
  ImagePart,
  NameFields,
  NotesPart,
  Part,
  ProgressField,
  StateFields,
  TextFields,
} from './form-parts.tsx';
import { useProjectsRefresh } from './project-actions.ts';
import { integer, tokenValues } from './token-values.ts';
import { useTokenForm } from './useTokenForm.ts';

const valuesOf = (project: AdminProject | null) => ({
  ...tokenValues(project),
  status: (project?.status ?? 'pending') as string,
  orderIndex: String(project?.orderIndex ?? DEFAULT_ORDER_INDEX),
  holdersCount: String(project?.holdersCount ?? ''),
});

interface ProjectFormProps {
  /** Null for a new project. */
  project: AdminProject | null;
  picker: ImagePicker;
  onClose: () => void;
}

/** A project's form in a dialog; use the project's id as key. */
export function ProjectForm({ project, picker, onClose }: ProjectFormProps) {
  const messages = useText(adminProjectsTexts).projects;
  const marketMessages = useText(adminMarketTexts).market;
  const common = useText(adminTexts).admin.form;
  const refresh = useProjectsRefresh();
  const resemblance = useResemblance();
  const { fieldError } = messages;
  const form = useTokenForm({
    kind: 'projects',
    cacheKeyOf: 'project',
    project,
    onClose,
    refresh,
    initial: valuesOf(project),
    schema: projectForm,
    messages: {
      tokenAddress: { missing: fieldError.addressNeeded, invalid: fieldError.addressShort },
      holdersCount: fieldError.holders,
    },
    check: ({ orderIndex, status }) => {
      const podiumPlace = integer(orderIndex);
      // A project that leaves home loses its place automatically; only taking a place is refused.
      const isTaken = isSlot(podiumPlace) && status !== 'published_home' && podiumPlace !== project?.orderIndex;
      return { orderIndex: isTaken && fieldError.placeHome };
    },
    duplicate: { tokenAddress: messages.failure.duplicate, orderIndex: fieldError.placeTaken },
    fieldErrors: (error) => {
      const why = placeRefusal(error);
      const place = { full: fieldError.placesFull, taken: fieldError.placeTaken, status: fieldError.placeHome };
      return why ? { orderIndex: place[why] } : {};
    },
    submit: (fields, version) =>
      resemblance.save(
        (resemblanceAccepted): Promise<AdminProject> =>
          project
            ? client.admin.projects.update({ id: project.id, version, ...fields, resemblanceAccepted })
            : client.admin.projects.create({ ...fields, resemblanceAccepted }),
      ),
  });
  const { field, hint, part } = messages;
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={project ? messages.editTitle(project.tokenName) : messages.newTitle}
      submitLabel={project ? common.update : common.create}
      fieldNames={{ ...field, network: marketMessages.network }}
      valueNames={{ status: messages.status }}
    >
      {project ? <OthersEditing kind="project" id={project.id} /> : null}
      <Part title={part.basics}>
        <NameFields form={form} hint={project ? hint.slug(project.tokenSlug) : null} />
        <AddressField form={form} name="tokenAddress" className="sm:col-span-2" />
        <TextFields form={form} names={PUBLIC_TEXTS} />
      </Part>
      <Part title={part.figures}>
        <Field label={field.marketCap} hint={hint.marketCap} error={form.errors.marketCap}>
          <Input {...form.text('marketCap')} placeholder="$0" autoComplete="off" />
        </Field>
        <ProgressField form={form} />
        <Field label={field.holdersCount} error={form.errors.holdersCount}>
          <Input {...form.text('holdersCount')} type="number" min={0} step={1} />
        </Field>
      </Part>
      <ImagePart form={form} picker={picker} title={part.image} />
      <Part title={part.links}>
        <LinkFields form={form} labels={field} />
      </Part>
      <Part title={part.settings}>
        <StateFields
          form={form}
          statuses={projectStatus.options.map((status) => [status, messages.status[status]] as const)}
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
      {resemblance.question}
    </FormDialog>
  );
}

const isSlot = (place: number) => place >= 1 && place <= PODIUM_SLOTS;
