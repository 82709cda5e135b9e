import { ArrowLeft, ArrowRight, CircleAlert, CloudOff, HardDriveDownload } from 'lucide-react';
import {
  type ComponentType,
  type FormEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  Suspense,
  use,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { codeOf } from '#app/lib/api/failure.ts';
import { useChecksum } from '#app/lib/forms/useChecksum.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { Quoted } from '#app/lib/i18n/Quoted.tsx';
import { useMounted } from '#app/lib/live/clock.ts';
import { RESTORED } from '#app/lib/live/release.ts';
import { createTexts } from '#app/lib/messages/create.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { firstLoadIsOver, loadWithRetry } from '#app/lib/page/lazy-loading.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { Button } from '#app/ui/controls/Button.tsx';
import { cx } from '#app/ui/cx.ts';
import { English } from '#app/ui/layout/English.tsx';
import { PageHead } from '#app/ui/layout/Page.tsx';
import { Skeleton } from '#app/ui/layout/Skeleton.tsx';
import { Ticket } from '#app/ui/layout/Ticket.tsx';
import { change, type Form, FormContext, useNetworksOnSale } from './Fields.tsx';
import { type FieldError, firstError, invalidFields, prefilled, readLink, withProtocol } from './field-errors.ts';
import { usePaymentMode } from './payment-mode.ts';
import { StepList } from './StepList.tsx';
import { type RenderImage, StepToken } from './StepToken.tsx';
import { type FieldName, isTouched, STEPS } from './stored-draft.ts';
import { draftStore, useDraft, useDraftEvents, useOwnEmail } from './useDraft.ts';
import { WizardAside } from './WizardAside.tsx';

type LaterParts = typeof import('./later-steps.tsx');
/** The later steps: loaded when the first field is used or the first page load is over; at once when the user had reached them before. */
let later: Promise<LaterParts> | undefined;
let loaded: LaterParts | undefined;
function loadLater() {
  later ??= loadWithRetry(async () => {
    loaded = await import('./later-steps.tsx');
    return loaded;
  });
  return later;
}
/** A part of the later steps. Once loaded it never suspends: React would show the fallback, or nothing, for up to 300 ms. */
function laterPart<P extends object>(pick: (parts: LaterParts) => ComponentType<P>) {
  return function LaterPart(props: P) {
    const Part = pick(loaded ?? use(loadLater()));
    return <Part {...props} />;
  };
}
const LaterStep = laterPart((parts) => parts.LaterStep);
const DraftConflicts = laterPart((parts) => parts.DraftConflicts);
const OtherPlanNote = laterPart((parts) => parts.OtherPlanNote);
const Paid = laterPart((parts) => parts.Paid);
const PaymentWatch = laterPart((parts) => parts.PaymentWatch);

/** The step in the address, limited to the reached ones; every step is an entry of the browser's history. */
function useStep(reached: number) {
  const mounted = useMounted();
  const [parameters, setParameters] = useSearchParams();
  const wanted = Number(parameters.get('step')) || 1;
  // The server renders the same document for every step.
  const step = mounted ? Math.min(Math.max(1, Math.trunc(wanted)), reached) : 1;
  const go = (next: number, options: { replace?: boolean } = {}) =>
    setParameters(next === 1 ? {} : { step: String(next) }, { preventScrollReset: true, ...options });
  return { step, go, mounted };
}

/** Opens the draft of a private link, whose secret is removed from the address bar at once. */
function useLink(onOpened: (step: number) => void) {
  const text = useText(createTexts).create.link;
  const { hash, pathname, search } = useLocation();
  const navigate = useNavigate();
  const opened = useRef(onOpened);
  opened.current = onOpened;
  useEffect(() => {
    const link = readLink(hash);
    if (!link) return;
    window.history.replaceState(window.history.state, '', pathname + search);
    void navigate(pathname + search, { replace: true, preventScrollReset: true });
    draftStore()
      .open(link)
      .then(
        (answer) => {
          if (answer !== 'opened') return;
          notify.success({ title: text.opened });
          opened.current(link.step ?? 1);
        },
        (error) => notify.error(codeOf(error) === 'NOT_FOUND' ? text.gone : text.failed),
      );
  }, [hash, pathname, search, navigate, text]);
}

/** Fields of an error, with their messages. */
function useStepErrors(fieldError: FieldError | null, data: Form['data']) {
  const text = useText(createTexts).create;
  const onSale = useNetworksOnSale();
  const checksum = useChecksum(data.selectedNetwork);
  const faulty = useMemo(
    () =>
      fieldError
        ? invalidFields(fieldError, data, onSale?.map(({ key }) => key) ?? [data.selectedNetwork], checksum)
        : [],
    [fieldError, data, onSale, checksum],
  );
  const errors: Form['errors'] = useMemo(() => {
    const messages =
      fieldError === 'email'
        ? text.fieldEmail
        : fieldError === 'symbol' || fieldError === 'network' || fieldError === 'wallet'
          ? text.missing[fieldError]
          : text.fieldMissing;
    return Object.fromEntries(faulty.map((name) => [name, messages]));
  }, [fieldError, faulty, text]);
  return { faulty, errors };
}

interface StepFocusOptions {
  step: number;
  fieldError: FieldError | null;
  faulty: FieldName[];
  heading: RefObject<HTMLElement | null>;
  summary: RefObject<HTMLElement | null>;
}

/** Moves the focus to the new step, or to the fields with errors. */
function useStepFocus({ step, fieldError, faulty, heading, summary }: StepFocusOptions) {
  const shown = useRef(step);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of step or of the fault moves the focus.
  useEffect(() => {
    if (step === 1 && fieldError && faulty.length > 0) summary.current?.focus();
    else if (shown.current !== step) heading.current?.focus();
    shown.current = step;
  }, [step, fieldError]);
}

/** The five steps from an idea to a paid request. */
export function Wizard({ image }: { image: RenderImage }) {
  const text = useText(createTexts).create;
  const state = useDraft();
  const { step, go, mounted } = useStep(state.reached);
  const [fieldError, setFieldError] = useState<FieldError | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const summary = useRef<HTMLElement>(null);
  const fields = useRef<HTMLDivElement>(null);
  useDraftEvents();
  useOwnEmail();
  useLink((next) => go(next, { replace: true }));

  const { faulty, errors } = useStepErrors(fieldError, state.data);
  const form: Form = { data: state.data, errors };
  useStepFocus({ step, fieldError, faulty, heading, summary });
  useEffect(() => void firstLoadIsOver().then(loadLater), []);

  function refuse(kind: FieldError) {
    // The summary and the fields show it; a notice would repeat it a third time.
    setFieldError(kind);
    if (step === 1) summary.current?.focus();
  }
  function leaveFor(next: number) {
    // Enter submits the step without a blur event of the field, in which a missing https:// is added.
    const links = withProtocol(state.data);
    change(links);
    if (step === 1 && next > 1) {
      const kind = firstError(state.data);
      if (kind) return refuse(kind);
      setFieldError(null);
      change(prefilled({ ...state.data, ...links }));
    }
    if (next > step) {
      draftStore().reach(next);
      // In the background: a failed save does not block the user.
      void draftStore().save();
    }
    go(next);
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    if (step < STEPS) leaveFor(step + 1);
    else notify.error({ title: text.error, text: text.paymentAhead.useCard });
  }
  function mend(kind: FieldError) {
    setFieldError(kind);
    go(1);
  }
  const focusField = (name: FieldName) => fields.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
  const restarted = () => {
    setFieldError(null);
    go(1);
    heading.current?.focus();
  };

  const name = text.steps[step - 1] ?? '';
  return (
    <FormContext value={form}>
      <Seo title={text.title(name)} description={text.description} />
      <PageHead title={<English id="create-title">{text.heading}</English>} lead={text.lead} />
      {state.locked ? (
        <Suspense fallback={<Skeleton className="mx-auto h-96 max-w-[46rem]" />}>
          <Paid onAnother={restarted} />
        </Suspense>
      ) : (
        // Disabled until hydration: input before it would be lost.
        <div
          className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_20rem] lg:items-start lg:gap-8"
          inert={!mounted}
        >
          <div className="min-w-0">
            <AboveSteps step={step} reached={state.reached} />
            <StepList step={step} reached={state.reached} onStep={leaveFor} />
            <form
              {...RESTORED}
              onSubmit={submit}
              onFocus={() => void loadLater()}
              noValidate
              aria-labelledby="create-title"
              className="mt-4"
            >
              <Ticket
                header={
                  <div className="mb-5">
                    <p className="eyebrow">{text.stepOf(step, STEPS)}</p>
                    <h2 ref={heading} tabIndex={-1} className="mt-1 text-[1.625rem] scroll-mt-24">
                      {name}
                    </h2>
                  </div>
                }
                stub={<StepButtons step={step} onBack={() => go(step - 1)} />}
              >
                {step === 1 && fieldError && faulty.length > 0 ? (
                  <Summary ref={summary} fieldError={fieldError} fields={faulty} onField={focusField} />
                ) : null}
                {/* Stays mounted while other steps are shown, because an image may still be uploading. */}
                <div ref={fields} hidden={step !== 1}>
                  <StepToken image={image} />
                </div>
                {step > 1 ? (
                  <Suspense fallback={<Skeleton className="h-96" />}>
                    <LaterStep step={step} onStep={go} onInvalid={mend} />
                  </Suspense>
                ) : null}
              </Ticket>
            </form>
          </div>
          <WizardAside step={step} onRestart={restarted} />
        </div>
      )}
      {mounted ? <Beside onOpened={(next) => go(next, { replace: true })} /> : null}
    </FormContext>
  );
}

/** Notes above the earlier steps: that payments are unavailable, and about an open payment for another plan. The last step has its own. */
function AboveSteps({ step, reached }: { step: number; reached: number }) {
  const text = useText(createTexts).create;
  const { data: mode } = usePaymentMode();
  if (step === STEPS) return null;
  return (
    <>
      {mode?.available === false ? (
        <p role="note" className="mb-4 rounded-control border border-lead-text bg-lead-soft p-4 text-lead-text">
          {text.paymentAhead.unavailableYet}
        </p>
      ) : null}
      {/* The step of the plans has this note beside the plans. */}
      {reached === STEPS && step < STEPS - 1 ? (
        <Suspense>
          <OtherPlanNote className="mb-4" />
        </Suspense>
      ) : null}
    </>
  );
}

/** Outside of the form: polls the draft's payment, and lets the user choose between drafts. */
function Beside({ onOpened }: { onOpened: (step: number) => void }) {
  const { locked, reached, conflict, arrived } = useDraft();
  return (
    <>
      {locked || reached === STEPS ? (
        <Suspense>
          <PaymentWatch />
        </Suspense>
      ) : null}
      {conflict || arrived ? (
        <Suspense>
          <DraftConflicts onOpened={onOpened} />
        </Suspense>
      ) : null}
    </>
  );
}

/** Buttons for the previous and next step, and the state of saving. */
function StepButtons({ step, onBack }: { step: number; onBack: () => void }) {
  const text = useText(createTexts).create;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2.5">
      <Button disabled={step === 1} onClick={onBack}>
        <ArrowLeft aria-hidden="true" />
        <English>{text.back}</English>
      </Button>
      <Button type="submit" variant={step < STEPS ? 'primary' : 'secondary'} className="sm:order-2">
        <English>{step < STEPS ? text.next : text.process}</English>
        {step < STEPS ? <ArrowRight aria-hidden="true" /> : null}
      </Button>
      <SaveState />
    </div>
  );
}

interface SummaryProps {
  ref: Ref<HTMLElement>;
  fieldError: FieldError;
  fields: FieldName[];
  onField: (name: FieldName) => void;
}

/** Errors that block the next step, with a link to each field. */
function Summary({ ref, fieldError, fields, onField }: SummaryProps) {
  const text = useText(createTexts).create;
  const labels: Partial<Record<FieldName, string>> = text.field;
  const id = useId();
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      aria-describedby={id}
      className="mb-5 scroll-mt-24 rounded-control border border-coral-text bg-coral-soft p-4 focus:outline-3 focus:outline-offset-2 focus:outline-focus"
    >
      <p id={`${id}-title`} className="flex items-center gap-2 font-semibold text-coral-text">
        <CircleAlert aria-hidden="true" className="size-4 flex-none" />
        {text.error}
      </p>
      <p id={id} className="mt-1 text-coral-text">
        <Quoted>{text.missing[fieldError]}</Quoted>
      </p>
      <ul className="mt-2 flex flex-wrap gap-2">
        {fields.map((name) => (
          <li key={name}>
            <Button size="sm" aria-label={text.goTo(labels[name] ?? name)} onClick={() => onField(name)}>
              <Quoted>{labels[name] ?? name}</Quoted>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Where the form is saved now; prominent only when the user has to act. */
function SaveState() {
  const text = useText(createTexts).create.save;
  const state = useDraft();
  const waiting = state.saving === 'waiting';
  let messages: ReactNode = null;
  if (state.conflict) messages = text.conflict;
  else if (waiting) messages = text.waiting;
  else if (state.saving === 'saving') messages = text.saving;
  else if (state.merged) messages = text.merged;
  else if (state.remote) messages = text.saved;
  else if (isTouched(state)) messages = text.device;
  const Icon = waiting ? CloudOff : HardDriveDownload;
  return (
    <>
      <p
        className={cx(
          'flex min-h-6 items-center gap-2 text-sm max-sm:basis-full sm:order-1 sm:min-w-0 sm:flex-1',
          waiting ? 'text-lead-text' : 'text-quiet',
        )}
      >
        {messages ? <Icon aria-hidden="true" className="size-4 flex-none" /> : null}
        {messages}
      </p>
      <span className="visually-hidden" role="status">
        {waiting ? text.waiting : state.merged ? text.merged : ''}
      </span>
    </>
  );
}
