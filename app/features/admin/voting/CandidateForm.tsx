import { useQueryClient } from '@tanstack/react-query';
import { client, rpc } from '#app/lib/api/rpc.ts';
import type { Locale } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminImageFieldTexts } from '#app/lib/messages/admin/image-field.ts';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { adminMarketTexts } from '#app/lib/messages/admin/market.ts';
import { adminVotingTexts } from '#app/lib/messages/admin/voting.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Checkbox, Field, Input, Textarea } from '#app/ui/controls/Field.tsx';
import {
  CANDIDATE_FIGURES,
  type CandidateFigure,
  candidateForm,
  newCandidateForm,
} from '#contract/admin/forms/candidates.ts';
import type { AdminCandidate } from '#contract/admin/voting.ts';
import { each } from '#contract/fields/each.ts';
import { eachLink } from '#contract/fields/links.ts';
import { OthersEditing } from '../editorial/OthersEditing.tsx';
import { FormDialog } from '../kit/forms/FormDialog.tsx';
import { ImageField, type ImagePicker, useImageRefusal } from '../kit/forms/ImageField.tsx';
import { LINK_READERS, LinkFields } from '../kit/forms/LinkFields.tsx';
import { typedNumber } from '../kit/forms/merge.ts';
import { useAdminForm } from '../kit/forms/useAdminForm.ts';
import { putSaved } from '../kit/records/put-saved.ts';
import { useResemblance } from '../kit/records/useResemblance.tsx';
import { MarketNote } from '../market/MarketNote.tsx';
import { NetworkField } from '../market/NetworkField.tsx';

const WHOLE: readonly CandidateFigure[] = ['swapsCount', 'holdersCount'];
/** Text of a number in the form, with the decimal separator of the page's language; '' for null. */
const figureText = (value: number | null, locale: Locale) =>
  value === null ? '' : typedNumber(value).replace('.', locale === 'es' ? ',' : '.');

interface CandidateFormProps {
  /** Undefined for a new candidate, which has the short form. */
  edited?: AdminCandidate | undefined;
  picker: ImagePicker;
  onClose: () => void;
}

/** Values, validation and save of the form: the full form for a record, the short one for a new candidate. */
function useCandidateForm(edited: AdminCandidate | undefined, onClose: () => void) {
  const texts = useText(adminVotingTexts).voting;
  const messages = texts.form;
  const images = useText(adminImageFieldTexts).image;
  const refusal = useImageRefusal();
  const queries = useQueryClient();
  const resemblance = useResemblance();
  const locale = useLocale();
  const form = useAdminForm({
    initial: {
      tokenName: edited?.tokenName ?? '',
      tokenSymbol: edited?.tokenSymbol ?? '',
      imageUrl: edited?.imageUrl ?? '',
      description: edited?.description ?? '',
      descriptionFull: edited?.descriptionFull ?? '',
      orderIndex: String(edited?.orderIndex ?? 0),
      isActive: edited?.isActive ?? true,
      contractAddress: edited?.contractAddress ?? '',
      network: (edited?.network ?? '') as string,
      ...eachLink((key) => edited?.[key] ?? ''),
      ...each(CANDIDATE_FIGURES, (key) => figureText(edited?.[key] ?? null, locale)),
      adminNotes: edited?.adminNotes ?? '',
    },
    version: edited?.version ?? 0,
    schema: edited ? candidateForm : newCandidateForm,
    messages: {
      tokenName: messages.nameNeeded,
      tokenSymbol: { missing: messages.symbolNeeded, long: messages.symbolLong, invalid: messages.symbolForm },
      imageUrl: images.invalid,
      orderIndex: messages.badOrder,
      ...eachLink(() => messages.badLink),
      ...each(CANDIDATE_FIGURES, (key) =>
        key === 'burntPercentage' ? messages.badPercent : WHOLE.includes(key) ? messages.badWhole : messages.badNumber,
      ),
    },
    readers: { tokenSymbol: (symbol) => symbol.toUpperCase(), ...LINK_READERS },
    fieldErrors: (error) => {
      const refused = refusal(error);
      return refused ? { imageUrl: refused } : {};
    },
    duplicate: { tokenName: messages.duplicateName },
    failed: edited ? texts.toast.updateFailed : texts.toast.createFailed,
    screen: 'votes',
    stored: { form: edited ? 'candidate' : 'newCandidate', record: edited ?? null },
    submit: async (input, version) => {
      const saved = await resemblance.save(
        (resemblanceAccepted): Promise<AdminCandidate> =>
          edited
            ? client.admin.candidates.update({
                id: edited.id,
                version,
                ...candidateForm.parse(input),
                resemblanceAccepted,
              })
            : client.admin.candidates.create({ ...input, resemblanceAccepted }),
      );
      putSaved(queries, rpc.admin.candidates.list.key(), saved);
      notify.success({ title: edited ? texts.toast.updated : texts.toast.created });
      onClose();
      // The panel of the round names those who lead.
      await Promise.all(
        [rpc.admin.candidates, rpc.admin.rounds].map((part) => queries.invalidateQueries({ queryKey: part.key() })),
      );
    },
  });
  return { form, question: resemblance.question };
}

export function CandidateForm({ edited, picker, onClose }: CandidateFormProps) {
  const texts = useText(adminVotingTexts).voting;
  const messages = texts.form;
  const marketMessages = useText(adminMarketTexts).market;
  const common = useText(adminTexts).admin.form;
  const images = useText(adminImageFieldTexts).image;
  const { form, question } = useCandidateForm(edited, onClose);

  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={edited ? texts.editTitle : texts.createTitle}
      submitLabel={edited ? common.update : common.create}
      fieldNames={{
        tokenName: messages.name,
        tokenSymbol: texts.symbol,
        imageUrl: images.label,
        description: messages.description,
        descriptionFull: messages.descriptionFull,
        orderIndex: texts.order,
        isActive: texts.active,
        contractAddress: messages.contractAddress,
        network: marketMessages.network,
        adminNotes: messages.notes,
        ...eachLink((key) => messages[key]),
        ...each(CANDIDATE_FIGURES, (key) => messages[key]),
      }}
    >
      {edited ? <OthersEditing kind="candidate" id={edited.id} /> : null}
      <div className="grid grid-cols-1 items-start gap-x-4 gap-y-3 sm:grid-cols-[2fr_1fr_1fr]">
        <Field label={messages.name} error={form.errors.tokenName}>
          <Input {...form.text('tokenName')} autoComplete="off" dir="auto" />
        </Field>
        <Field label={texts.symbol} hint={messages.symbolHint} error={form.errors.tokenSymbol}>
          <Input {...form.text('tokenSymbol')} autoComplete="off" autoCapitalize="characters" className="uppercase" />
        </Field>
        <Field label={texts.order} error={form.errors.orderIndex}>
          <Input {...form.text('orderIndex')} inputMode="numeric" maxLength={7} autoComplete="off" />
        </Field>
      </div>
      <p className="text-sm text-quiet">{messages.orderHint}</p>
      <Field label={messages.description} optional={common.optional} error={form.errors.description}>
        <Textarea {...form.text('description')} rows={3} dir="auto" />
      </Field>
      <ImageField
        label={images.label}
        value={form.values.imageUrl}
        error={form.errors.imageUrl}
        onChange={(url) => form.set('imageUrl', url)}
        picker={picker}
      />
      {edited ? <FurtherFields form={form} id={edited.id} /> : null}
      {question}
    </FormDialog>
  );
}

/** Fields of an existing candidate that a new one does not have. */
function FurtherFields({ form, id }: { form: ReturnType<typeof useCandidateForm>['form']; id: string }) {
  const texts = useText(adminVotingTexts).voting;
  const messages = texts.form;
  const common = useText(adminTexts).admin.form;
  return (
    <>
      <Checkbox {...form.flag('isActive')} label={texts.active} hint={messages.activeHint} />
      <Field label={messages.descriptionFull} optional={common.optional} error={form.errors.descriptionFull}>
        <Textarea {...form.text('descriptionFull')} rows={6} dir="auto" />
      </Field>
      <fieldset className="grid grid-cols-1 gap-x-4 gap-y-3 sm:grid-cols-2">
        <legend className="mb-2 font-semibold">{messages.links}</legend>
        <LinkFields form={form} labels={messages} />
        <Field label={messages.contractAddress} error={form.errors.contractAddress} className="sm:col-span-2">
          <Input {...form.text('contractAddress')} autoComplete="off" spellCheck={false} />
        </Field>
        <NetworkField form={form} className="sm:col-span-2" />
      </fieldset>
      <fieldset className="grid grid-cols-1 items-start gap-x-4 gap-y-3 sm:grid-cols-2 md:grid-cols-3">
        <legend className="mb-2 font-semibold">{messages.market}</legend>
        <p className="col-span-full text-sm text-quiet">{messages.marketHint}</p>
        {CANDIDATE_FIGURES.map((key) => (
          <Field key={key} label={messages[key]} error={form.errors[key]}>
            <Input {...form.text(key)} inputMode="decimal" maxLength={40} autoComplete="off" />
          </Field>
        ))}
      </fieldset>
      <MarketNote kind="candidate" id={id} />
      <Field label={messages.notes} hint={messages.notesHint} error={form.errors.adminNotes}>
        <Textarea {...form.text('adminNotes')} rows={3} dir="auto" />
      </Field>
    </>
  );
}
