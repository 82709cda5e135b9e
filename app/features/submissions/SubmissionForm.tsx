import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { codeOf, failureText, wrongFields } from '#app/lib/api/failure.ts';
import { client } from '#app/lib/api/rpc.ts';
import { integer } from '#app/lib/format/format.ts';
import { asLink } from '#app/lib/forms/as-link.ts';
import { Resemblances, resemblancesOf } from '#app/lib/forms/Resemblances.tsx';
import { useChecksum } from '#app/lib/forms/useChecksum.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { RESTORED } from '#app/lib/live/release.ts';
import { publishTexts } from '#app/lib/messages/publish.ts';
import { resemblanceTexts } from '#app/lib/messages/resemblance.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Field, FieldError, Input, Select, Textarea } from '#app/ui/controls/Field.tsx';
import { Card } from '#app/ui/layout/Card.tsx';
import { TOKEN_LINKS } from '#contract/fields/links.ts';
import { submissionMax } from '#contract/fields/submission-fields.ts';
import type { Resemblance } from '#contract/resemblance.ts';
import {
  differsFrom,
  FIELDS,
  type FieldName,
  type Form,
  fieldErrorsOf,
  useStoredForm,
  withMember,
  withWholeLinks,
} from './form.ts';
import { useNetworks, useSubmit } from './submissions.queries.ts';

/** Props of the image field; it belongs to another feature, so the page passes it. */
interface ImageSlot {
  label: string;
  optional: string;
  error: string | undefined;
  value: string | null;
  onChange: (url: string | null) => void;
  formKey: string;
  onDelete: (id: string) => Promise<unknown>;
}

interface SubmissionFormProps {
  /** The signed-in member, whose name and e-mail are prefilled. */
  member: { username: string | null; email: string } | null;
  image: (slot: ImageSlot) => ReactNode;
  /** A preview of the card, next to the form. */
  aside: (form: Form) => ReactNode;
}

function useSubmissionForm(member: SubmissionFormProps['member']) {
  const text = useText(publishTexts);
  const messages = text.publish;
  const href = useHref();
  const navigate = useNavigate();
  const element = useRef<HTMLFormElement>(null);
  const { stored, change: store, newest, forget } = useStoredForm();
  const submit = useSubmit();
  const [wrong, setWrong] = useState<Partial<Record<FieldName, string>>>({});
  const [fieldError, setFieldError] = useState('');
  const [alike, setAlike] = useState<Resemblance[]>([]);
  const form = withMember(stored, member);

  const checksum = useChecksum(form.network);

  function change(over: Partial<Form>) {
    // Input is stored also while the request is in flight: after a lost answer the form is sent again, with this change.
    store((now) => ({ ...withMember(now, member), ...over }));
    setAlike([]);
    // Errors of changed fields are cleared.
    const names = Object.keys(over) as FieldName[];
    if (names.includes('network')) names.push('address');
    setWrong((old) =>
      names.some((name) => old[name])
        ? Object.fromEntries(Object.entries(old).filter(([name]) => !names.includes(name as FieldName)))
        : old,
    );
  }

  function show(next: Partial<Record<FieldName, string>>, all = '') {
    setWrong(next);
    setFieldError(all);
    const first = FIELDS.find((name) => next[name]);
    const control = first && (element.current?.elements.namedItem(first) as HTMLElement | null);
    if (control) control.focus();
    else document.getElementById('publish-fault')?.scrollIntoView({ block: 'nearest' });
  }

  function send(event: FormEvent) {
    event.preventDefault();
    sendAs(false);
  }

  function sendAs(resemblanceAccepted: boolean) {
    if (submit.isPending) return;
    const fieldErrors = fieldErrorsOf(form, checksum);
    if (fieldErrors.length > 0)
      return show(Object.fromEntries(fieldErrors.map((name) => [name, messages.wrong[name]])), messages.check);
    show({});
    const sent = withWholeLinks(form);
    submit.mutate(
      { form: sent, formKey: stored.formKey, attempt: stored.attempt, resemblanceAccepted },
      {
        onSuccess: ({ id, key }) => {
          // Input since then is in no request: it stays in the form.
          const left = differsFrom(sent, withMember(newest(), member));
          if (!left) forget();
          notify.success({ title: messages.sent });
          void navigate({ pathname: href(`/submission/${id}`), hash: key }, { state: { sent: true, left } });
        },
        onError: (error) => {
          const found = resemblancesOf(error);
          if (found) return setAlike(found);
          const fields = FIELDS.filter((name) => wrongFields(error).includes(name));
          if (codeOf(error) === 'DUPLICATE') show({ projectName: messages.duplicate }, messages.duplicate);
          else if (fields.length > 0)
            show(Object.fromEntries(fields.map((name) => [name, messages.wrong[name]])), messages.check);
          else {
            show({}, `${failureText(error, text)} ${messages.stored}`);
          }
          notify.error({ title: messages.failed });
        },
      },
    );
  }

  const control = (name: FieldName) => ({
    name,
    value: form[name],
    maxLength: submissionMax(name),
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
  });
  const field = (name: FieldName, required = false) => ({
    label: messages.field[name],
    error: wrong[name],
    ...(required ? {} : { optional: messages.optional }),
  });

  return {
    form,
    change,
    control,
    field,
    send,
    /** Error of the form as a whole; empty for none. */
    fieldError,
    /** Tokens that it resembles, until the user accepts that or changes something. */
    alike,
    accept: () => sendAs(true),
    imageError: wrong.imageUrl,
    formKey: stored.formKey,
    isPending: submit.isPending,
    ref: element,
  };
}

/** Submits a token for publication. Errors are shown next to their fields; nothing typed is lost. */
export function SubmissionForm({ member, image, aside }: SubmissionFormProps) {
  const messages = useText(publishTexts).publish;
  const locale = useLocale();
  const networks = useNetworks();
  const { form, change, control, field, ...state } = useSubmissionForm(member);
  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_21rem] lg:items-start lg:gap-8">
      <form
        {...RESTORED}
        ref={state.ref}
        noValidate
        onSubmit={state.send}
        className="grid grid-cols-1 gap-5"
        aria-labelledby="publish-title"
      >
        <Part title={messages.section.project}>
          <div className="grid grid-cols-1 gap-4 sm:grid-cols-[minmax(0,1fr)_11rem]">
            <Field {...field('projectName', true)}>
              <Input {...control('projectName')} dir="auto" required autoComplete="off" />
            </Field>
            <Field {...field('symbol', true)} hint={messages.hint.symbol}>
              <Input {...control('symbol')} required autoComplete="off" autoCapitalize="characters" />
            </Field>
          </div>
          <Field
            {...field('description', true)}
            hint={messages.hint.counter(
              integer(form.description.length, locale),
              integer(submissionMax('description'), locale),
            )}
          >
            <Textarea {...control('description')} dir="auto" rows={5} required />
          </Field>
          <div className="grid grid-cols-1 gap-4 sm:grid-cols-[14rem_minmax(0,1fr)]">
            <Field {...field('network')} hint={networks.isError ? messages.networksFailed : undefined}>
              <Select name="network" value={form.network} onChange={(event) => change({ network: event.target.value })}>
                <option value="">{messages.noNetwork}</option>
                {networks.data?.map(({ key, name, symbol }) => (
                  <option key={key} value={key}>
                    {name} ({symbol})
                  </option>
                ))}
              </Select>
            </Field>
            <Field {...field('address')}>
              <Input {...control('address')} className="figures" autoComplete="off" spellCheck={false} />
            </Field>
          </div>
          {image({
            label: messages.field.imageUrl,
            optional: messages.optional,
            error: state.imageError,
            value: form.imageUrl || null,
            onChange: (url) => change({ imageUrl: url ?? '' }),
            formKey: state.formKey,
            onDelete: (id) =>
              member ? client.media.remove({ id }) : client.submissions.removeImage({ id, claim: state.formKey }),
          })}
        </Part>
        <Part title={messages.section.links}>
          <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
            {TOKEN_LINKS.map((name) => (
              <Field key={name} {...field(name)}>
                <Input
                  {...control(name)}
                  type="url"
                  inputMode="url"
                  placeholder="https://"
                  autoComplete="off"
                  onBlur={() => {
                    const link = asLink(form[name]);
                    if (link !== form[name]) change({ [name]: link });
                  }}
                />
              </Field>
            ))}
          </div>
        </Part>
        <Part title={messages.section.contact}>
          <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
            <Field {...field('submitterName', true)}>
              <Input {...control('submitterName')} dir="auto" required autoComplete="name" />
            </Field>
            <Field {...field('submitterEmail', true)} hint={messages.hint.email}>
              <Input {...control('submitterEmail')} type="email" required autoComplete="email" />
            </Field>
          </div>
        </Part>
        {state.alike.length > 0 ? <Alike found={state.alike} busy={state.isPending} onAccept={state.accept} /> : null}
        <div id="publish-fault" role="alert">
          {state.fieldError ? <FieldError>{state.fieldError}</FieldError> : null}
        </div>
        <Button
          type="submit"
          variant="primary"
          size="lg"
          className="justify-self-start max-sm:w-full"
          busy={state.isPending}
          busyLabel={messages.submitting}
        >
          {messages.submit}
        </Button>
      </form>
      {aside(form)}
    </div>
  );
}

/** Tokens that the project resembles: the user changes something, or sends it as it is. */
function Alike({ found, busy, onAccept }: { found: Resemblance[]; busy: boolean; onAccept: () => void }) {
  const messages = useText(resemblanceTexts).resemblance.sender;
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new result moves the focus to its heading again.
  useEffect(() => heading.current?.focus(), [found]);
  return (
    <Card className="p-5 sm:p-6">
      <section aria-labelledby="publish-alike" className="grid grid-cols-1 gap-3">
        <h2 ref={heading} id="publish-alike" tabIndex={-1} className="font-display text-xl font-bold">
          {messages.heading}
        </h2>
        <p className="text-quiet">{messages.text}</p>
        <Resemblances found={found} />
        <Button className="justify-self-start max-sm:w-full" busy={busy} onClick={onAccept}>
          {messages.submit}
        </Button>
      </section>
    </Card>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card className="p-5 sm:p-6">
      <fieldset className="grid grid-cols-1 gap-4">
        <legend className="float-left font-display text-xl font-bold">{title}</legend>
        {children}
      </fieldset>
    </Card>
  );
}
