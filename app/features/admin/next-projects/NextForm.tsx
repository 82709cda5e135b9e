import { useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { client } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { adminMarketTexts } from '#app/lib/messages/admin/market.ts';
import { adminNextTexts } from '#app/lib/messages/admin/next-projects.ts';
import { adminProjectsTexts } from '#app/lib/messages/admin/projects.ts';
import { Checkbox, Field, Input } from '#app/ui/controls/Field.tsx';
import { English } from '#app/ui/layout/English.tsx';
import { nextProjectForm, nextProjectStatus } from '#contract/admin/forms/next-projects.ts';
import type { AdminNextProject } from '#contract/admin/next-projects.ts';
import { PUBLIC_TEXTS } from '#contract/fields/project-texts.ts';
import { OthersEditing } from '../editorial/OthersEditing.tsx';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { MomentInput } from '../kit/dates/DateInput.tsx';
import { Declined } from '../kit/failures.ts';
import { FormDialog } from '../kit/forms/FormDialog.tsx';
import type { ImagePicker } from '../kit/forms/ImageField.tsx';
import { LinkFields } from '../kit/forms/LinkFields.tsx';
import { useResemblance } from '../kit/records/useResemblance.tsx';
import { MarketNote } from '../market/MarketNote.tsx';
import { NetworkField } from '../market/NetworkField.tsx';
import {
  AddressField,
  ImagePart,
  NameFields,
  NotesPart,
  Part,
  ProgressField,
  StateFields,
  TextFields,
} from '../projects/form-parts.tsx';
import { decimal, tokenValues } from '../projects/token-values.ts';
import { useTokenForm } from '../projects/useTokenForm.ts';
import { useNextRefresh } from './next-actions.ts';

const valuesOf = (project: AdminNextProject | null) => ({
  ...tokenValues(project),
  status: (project?.status ?? 'pending') as string,
  orderIndex: String(project?.orderIndex ?? 0),
  isActive: project?.isActive ?? true,
  launchDate: project?.launchDate ?? '',
  countdownEnd: project?.countdownEnd ?? '',
  price: String(project?.price ?? 0),
});

type Doubt = 'ended' | 'after_launch';
/** The server's warning about the dates; undefined for every other failure. */
const doubtOf = (error: unknown): Doubt | undefined =>
  codeOf(error) === 'COUNTDOWN_DOUBTFUL' ? (error as { data: { why: Doubt } }).data.why : undefined;

/** Dates that wait for confirmation. */
interface PendingConfirmation {
  why: Doubt;
  resolve: () => void;
  reject: () => void;
}

/**
 * Asks for confirmation of dates that the server warns about; every other failure is rethrown.
 * @throws Declined when the user rejects them.
 */
function useDoubts() {
  const messages = useText(adminNextTexts).next;
  const [confirming, setConfirming] = useState<PendingConfirmation | null>(null);
  return {
    async ask(error: unknown): Promise<void> {
      const why = doubtOf(error);
      if (!why) throw error;
      await new Promise<void>((resolve, reject) =>
        setConfirming({ why, resolve, reject: () => reject(new Declined(error)) }),
      ).finally(() => setConfirming(null));
    },
    question: confirming ? (
      <ConfirmDialog
        open
        harmless
        onClose={confirming.reject}
        title={messages.doubt.title}
        question={messages.fieldError[confirming.why]}
        text={messages.doubt.text}
        confirmLabel={messages.doubt.confirm}
        busyLabel={messages.doubt.busy}
        onConfirm={async () => confirming.resolve()}
      />
    ) : null,
  };
}

interface NextFormProps {
  /** Null for a new project. */
  project: AdminNextProject | null;
  picker: ImagePicker;
  onClose: () => void;
}

/** A NEXT project's form in a dialog; use the project's id as key. */
export function NextForm({ project, picker, onClose }: NextFormProps) {
  const shared = useText(adminProjectsTexts).projects;
  const messages = useText(adminNextTexts).next;
  const marketMessages = useText(adminMarketTexts).market;
  const common = useText(adminTexts).admin.form;
  const refresh = useNextRefresh();
  const resemblance = useResemblance();
  const doubts = useDoubts();
  const form = useTokenForm({
    kind: 'next',
    cacheKeyOf: 'nextProject',
    project,
    onClose,
    refresh,
    initial: valuesOf(project),
    schema: nextProjectForm,
    readers: { price: decimal },
    messages: {
      price: messages.fieldError.price,
      launchDate: messages.fieldError.date,
      countdownEnd: messages.fieldError.date,
    },
    duplicate: { tokenAddress: messages.failure.duplicate },
    fieldErrors: (error) => {
      const doubt = doubtOf(error);
      return doubt ? { countdownEnd: messages.fieldError[doubt] } : {};
    },
    submit: async (fields, version) => {
      let countdownAccepted = false;
      const save = (resemblanceAccepted: boolean): Promise<AdminNextProject> => {
        const accepted = { countdownAccepted, resemblanceAccepted };
        return project
          ? client.admin.nextProjects.update({ id: project.id, version, ...fields, ...accepted })
          : client.admin.nextProjects.create({ ...fields, ...accepted });
      };
      return resemblance.save((accepted) =>
        save(accepted).catch(async (error) => {
          await doubts.ask(error);
          countdownAccepted = true;
          return save(accepted);
        }),
      );
    },
  });
  const { hint, part } = messages;
  const field = {
    ...shared.field,
    ...messages.field,
    launchDate: messages.launchDate,
    countdownEnd: messages.countdownEnd,
  };
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={project ? shared.editTitle(project.tokenName) : messages.newTitle}
      submitLabel={project ? common.update : common.create}
      fieldNames={{ ...field, network: marketMessages.network }}
      valueNames={{ status: messages.status }}
    >
      {project ? <OthersEditing kind="next_project" id={project.id} /> : null}
      <Part title={part.basics}>
        <NameFields form={form} />
        <AddressField form={form} name="tokenAddress" optional={common.optional} />
        <AddressField form={form} name="contractAddress" optional={common.optional} />
        <NetworkField form={form} className="sm:col-span-2" />
        <TextFields form={form} names={PUBLIC_TEXTS} />
      </Part>
      <ImagePart form={form} picker={picker} title={part.image} hint={<English>{hint.image}</English>} />
      <Part title={part.links}>
        <LinkFields form={form} labels={field} />
      </Part>
      <Part title={part.settings}>
        <StateFields
          form={form}
          statuses={nextProjectStatus.options.map((status) => [status, messages.status[status]] as const)}
          orderHint={hint.orderIndex}
        />
        <Checkbox {...form.flag('isActive')} label={field.isActive} hint={hint.isActive} />
        <Checkbox {...form.flag('isFeatured')} label={field.isFeatured} hint={shared.hint.isFeatured} />
      </Part>
      <Part title={part.launch}>
        <Field label={field.launchDate} hint={hint.dates} error={form.errors.launchDate}>
          <MomentInput
            name="launchDate"
            value={form.values.launchDate}
            onChange={(iso) => form.set('launchDate', iso)}
          />
        </Field>
        <Field label={field.countdownEnd} hint={hint.countdownEnd} error={form.errors.countdownEnd}>
          <MomentInput
            name="countdownEnd"
            value={form.values.countdownEnd}
            onChange={(iso) => form.set('countdownEnd', iso)}
          />
        </Field>
        <ProgressField form={form} />
        <Field label={field.price} error={form.errors.price}>
          <Input {...form.text('price')} type="number" min={0} step={0.000001} inputMode="decimal" />
        </Field>
        <Field label={field.marketCap} hint={hint.marketCap} error={form.errors.marketCap}>
          <Input {...form.text('marketCap')} placeholder="TBD" autoComplete="off" />
        </Field>
      </Part>
      {project ? <MarketNote kind="next" id={project.id} /> : null}
      <NotesPart form={form} title={part.notes} />
      {resemblance.question}
      {doubts.question}
    </FormDialog>
  );
}
