import { When } from '#app/lib/format/When.tsx';
import '../facts.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Lock, Send } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { Resemblances } from '#app/lib/forms/Resemblances.tsx';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { adminSubmissionsTexts } from '#app/lib/messages/admin/submissions.ts';
import { resemblanceTexts } from '#app/lib/messages/resemblance.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import { Field, Select, Textarea } from '#app/ui/controls/Field.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import { reviewForm } from '#contract/admin/forms/submissions.ts';
import type { AdminSubmission } from '#contract/admin/submissions.ts';
import { Timeline } from '../audit/Timeline.tsx';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { Cancelled, useAdminFailure } from '../kit/failures.ts';
import { FormDialog } from '../kit/forms/FormDialog.tsx';
import { useAdminForm } from '../kit/forms/useAdminForm.ts';
import { useResemblance } from '../kit/records/useResemblance.tsx';
import { useRights } from '../kit/rights.tsx';
import { PersonLink } from '../people/PersonLink.tsx';

/** One submission with all data, and the form for the team's answer. */
export function SubmissionDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const text = useText(adminSubmissionsTexts, adminTexts);
  const messages = text.submissions.detail;
  const failure = useAdminFailure();
  const query = useQuery(
    // Not refetched: values must not change under the user's edits; a colleague's answer shows as a conflict.
    rpc.admin.submissions.read.queryOptions({
      input: { id },
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
    }),
  );
  if (query.data) return <ReviewDialog key={query.data.version} submission={query.data} onClose={onClose} />;
  const gone = query.isError && ['NOT_FOUND', 'BAD_REQUEST'].includes(codeOf(query.error));
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={messages.untitled}
      className="dialog-wide"
      actions={<Button onClick={onClose}>{messages.close}</Button>}
    >
      {query.isError ? (
        <div role="alert" className="grid justify-items-start gap-3">
          <p>{gone ? messages.gone : `${messages.failed}: ${failure(query.error)}`}</p>
          {gone ? null : (
            <Button size="sm" onClick={() => void query.refetch()}>
              {text.admin.list.retry}
            </Button>
          )}
        </div>
      ) : (
        <SkeletonGroup label={messages.loading} className="grid gap-3">
          <Skeleton className="h-20" />
          <Skeleton className="h-48" />
        </SkeletonGroup>
      )}
    </Dialog>
  );
}

function ReviewDialog({ submission, onClose }: { submission: AdminSubmission; onClose: () => void }) {
  const texts = useText(adminSubmissionsTexts).submissions;
  const messages = texts.detail;
  const common = useText(adminTexts).admin.form;
  const failure = useAdminFailure();
  const queries = useQueryClient();
  const [historyOpen, setHistoryOpen] = useState(false);
  const form = useAdminForm({
    initial: {
      status: submission.status as string,
      answer: submission.answer,
      adminNotes: submission.adminNotes,
    },
    version: submission.version,
    stored: { form: 'submission', record: submission },
    together: [['status', 'answer']],
    schema: reviewForm,
    messages: { answer: messages.notesLong, adminNotes: messages.notesLong },
    failed: (error) => ({ title: texts.toast.error, text: texts.toast.failed(failure(error)) }),
    submit: async (verdict, version) => {
      await client.admin.submissions.review({ id: submission.id, version, ...verdict });
      notify.success({ title: texts.toast.updated, text: texts.toast.updatedText });
      onClose();
      await Promise.all([
        queries.invalidateQueries({ queryKey: rpc.admin.submissions.key() }),
        queries.invalidateQueries({ queryKey: rpc.admin.inbox.key() }),
      ]);
    },
  });
  /** A note written for one decision is not sent with another. */
  function decide(status: string) {
    form.set('status', status);
    const { status: was, answer } = submission;
    if (was !== 'approved' && was !== 'rejected') return;
    if (status !== was && form.values.answer === answer) form.set('answer', '');
    if (status === was && form.values.answer === '') form.set('answer', answer);
  }
  const name = submission.submitterName || texts.anonymous;
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={messages.title(name)}
      submitLabel={messages.update}
      cancelLabel={messages.close}
      fieldNames={{ status: texts.status, answer: messages.answer, adminNotes: messages.notes }}
      valueNames={{ status: texts.statuses }}
    >
      <dl className="admin-facts">
        <Fact name={messages.applicant}>
          <PersonLink id={submission.memberId} mailbox={submission.submitterEmail}>
            {name}
          </PersonLink>
        </Fact>
        <Fact name={messages.email}>
          {submission.submitterEmail ? (
            <a className="underline break-all" href={`mailto:${submission.submitterEmail}`}>
              {submission.submitterEmail}
            </a>
          ) : (
            texts.noEmail
          )}
        </Fact>
        <Fact name={messages.sent}>
          <When iso={submission.createdAt} />
        </Fact>
        <Fact name={messages.reviewed}>
          {submission.reviewedAt ? <When iso={submission.reviewedAt} /> : messages.never}
        </Fact>
        {submission.reference ? (
          <Fact name={texts.reference}>
            <span className="figures">{submission.reference}</span>
          </Fact>
        ) : null}
      </dl>
      <ProjectData data={submission.projectData} />
      <Alike found={submission.resembles} />
      <Publishing submission={submission} answered={form.values} />
      <Field label={texts.status}>
        <Select {...form.text('status')} onChange={(event) => decide(event.target.value)}>
          {reviewForm.shape.status.options.map((status) => (
            <option key={status} value={status}>
              {texts.statuses[status]}
            </option>
          ))}
        </Select>
      </Field>
      {form.values.status === 'approved' || form.values.status === 'rejected' ? (
        <fieldset className="admin-audience" data-audience="public">
          <legend>
            <Send aria-hidden="true" />
            {messages.forApplicant}
          </legend>
          <Field
            label={messages.answer}
            optional={common.optional}
            hint={submission.submitterEmail ? messages.answerHint(submission.submitterEmail) : messages.answerPage}
            error={form.errors.answer}
          >
            <Textarea {...form.text('answer')} rows={4} dir="auto" />
          </Field>
        </fieldset>
      ) : null}
      <fieldset className="admin-audience" data-audience="team">
        <legend>
          <Lock aria-hidden="true" />
          {messages.forTeam}
        </legend>
        <Field label={messages.notes} hint={messages.notesHint} error={form.errors.adminNotes}>
          <Textarea {...form.text('adminNotes')} rows={4} />
        </Field>
      </fieldset>
      <details className="admin-more" onToggle={(event) => setHistoryOpen(event.currentTarget.open)}>
        <summary>{messages.history}</summary>
        {historyOpen ? <Timeline record={{ resourceType: 'submission', resourceId: submission.id }} /> : null}
      </details>
    </FormDialog>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

interface PublishingProps {
  submission: AdminSubmission;
  /** Unsaved input of the form, sent with it. */
  answered: { answer: string; adminNotes: string };
}

/** Publishes the submission as a project with one click; afterwards a link to that project. */
function Publishing({ submission, answered }: PublishingProps) {
  const texts = useText(adminSubmissionsTexts).submissions;
  const { detail: messages, toast } = texts;
  const href = useHref();
  const failure = useAdminFailure('projects');
  const queries = useQueryClient();
  const { id, version, made } = submission;
  const mayEdit = useRights().may(made?.as === 'next_project' ? 'nextProjects.update' : 'projects.update');
  const listOf = (one: NonNullable<AdminSubmission['made']>) =>
    href(
      `${one.as === 'project' ? '/admin/projects?sort=-createdAt' : '/admin/next-projects?sort=-createdAt'}&q=${encodeURIComponent(one.name)}`,
    );
  const [requested, setRequested] = useState<'project' | 'next_project' | null>(null);
  const resemblance = useResemblance();
  const publish = useMutation({
    mutationFn: (as: 'project' | 'next_project') => {
      const { answer, adminNotes } = answered;
      return resemblance.save((resemblanceAccepted) =>
        client.admin.submissions.publish({ id, version, as, answer, adminNotes, resemblanceAccepted }),
      );
    },
    onSuccess: ({ withImage, ...published }) => {
      notify.success({
        title: toast.published,
        text: !withImage ? toast.publishedBare : mayEdit ? toast.publishedText : toast.publishedElsewhere,
      });
      // The dialog is mounted again with it, and links to the project.
      queries.setQueryData(rpc.admin.submissions.read.queryKey({ input: { id } }), published);
      const { submissions, inbox, projects, nextProjects } = rpc.admin;
      return Promise.all(
        [submissions.list, inbox, projects, nextProjects].map((part) =>
          queries.invalidateQueries({ queryKey: part.key() }),
        ),
      );
    },
    onError: (error) => {
      if (error instanceof Cancelled) return;
      const messages: Record<string, string> = {
        DUPLICATE: toast.duplicate,
        ALREADY_DONE: toast.already,
        BAD_REQUEST: toast.invalid,
        NOT_VALID: toast.invalid,
      };
      notify.failed(error, { title: toast.publishFailed, text: messages[codeOf(error)] ?? failure(error) });
    },
  });
  if (made)
    return (
      <p>
        {mayEdit ? (
          <Link to={listOf(made)} className="link">
            {messages.made[made.as](made.name)}
          </Link>
        ) : (
          messages.madeElsewhere(made.name)
        )}
      </p>
    );
  const known = objectOf(submission.projectData);
  if (!known) return null;
  const address = typeof known['address'] === 'string' && known['address'] !== '';
  const button = (as: 'project' | 'next_project', label: string, disabled = false) => (
    <Button
      size="sm"
      disabled={disabled || publish.isPending}
      busy={publish.isPending && publish.variables === as}
      busyLabel={messages.publishing}
      onClick={() => setRequested(as)}
    >
      {label}
    </Button>
  );
  return (
    <fieldset className="admin-sub grid grid-cols-1 gap-2">
      <legend className="px-1 text-sm font-semibold">{messages.publish}</legend>
      <p className="text-sm text-quiet">{messages.publishHint}</p>
      <div className="flex flex-wrap gap-2">
        {button('project', messages.asProject, !address)}
        {button('next_project', messages.asNext)}
      </div>
      {address ? null : <p className="text-sm text-quiet">{messages.noAddress}</p>}
      <ConfirmDialog
        open={requested !== null}
        onClose={() => setRequested(null)}
        title={requested === 'project' ? messages.asProject : messages.asNext}
        text={
          <>
            <span className="block">{messages.publishHint}</span>
            {submission.submitterEmail && submission.status !== 'approved' ? (
              <span className="mt-1 block">{messages.publishMail(submission.submitterEmail)}</span>
            ) : null}
          </>
        }
        confirmLabel={messages.create}
        busyLabel={messages.publishing}
        harmless
        onConfirm={() => (requested ? publish.mutateAsync(requested) : Promise.resolve())}
      />
      {resemblance.question}
    </fieldset>
  );
}

/** Tokens that it currently resembles. */
function Alike({ found }: { found: AdminSubmission['resembles'] }) {
  const messages = useText(resemblanceTexts).resemblance.team;
  if (found.length === 0) return null;
  return (
    <section className="grid grid-cols-1 gap-2" aria-label={messages.heading}>
      <h3 className="text-sm font-semibold">{messages.heading}</h3>
      <Resemblances found={found} />
    </section>
  );
}

/** The submitted data, as plain text. */
function ProjectData({ data }: { data: unknown }) {
  const messages = useText(adminSubmissionsTexts).submissions.detail;
  const known = objectOf(data);
  const image = known && typeof known['imageUrl'] === 'string' ? known['imageUrl'] : '';
  return (
    <div className="grid grid-cols-1 gap-2">
      <h3 className="text-sm font-semibold">{messages.data}</h3>
      {known ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls, also with the keyboard.
        <pre className="admin-code" tabIndex={0}>
          {JSON.stringify(inOrder(known), null, 2)}
        </pre>
      ) : (
        <p className="text-quiet">{data === null || data === undefined ? messages.none : messages.invalid}</p>
      )}
      {/^\/media\/[\w/.-]+$/.test(image) ? (
        <img
          src={image}
          alt={messages.image}
          className="size-24 rounded-control object-cover"
          onError={(event) => {
            event.currentTarget.hidden = true;
          }}
        />
      ) : null}
    </div>
  );
}

const ORDER = ['projectName', 'symbol', 'network', 'address', 'description'];
/** In the order of the form, independent of the stored order. */
const inOrder = (data: Record<string, unknown>) =>
  Object.fromEntries([
    ...ORDER.filter((name) => name in data).map((name) => [name, data[name]] as const),
    ...Object.entries(data).filter(([name]) => !ORDER.includes(name)),
  ]);

/** An object, also one that was stored as JSON text; null for anything else. */
function objectOf(data: unknown): Record<string, unknown> | null {
  let value = data;
  if (typeof value === 'string') {
    try {
      value = JSON.parse(value);
    } catch {
      return null;
    }
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}
