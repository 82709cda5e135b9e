import { Check, Link2, PartyPopper } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { dateTime } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { TextInItsLanguage } from '#app/lib/i18n/TextInItsLanguage.tsx';
import { useMounted } from '#app/lib/live/clock.ts';
import { publishTexts } from '#app/lib/messages/publish.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { SceneClosedGate } from '#app/ui/art/scenes/SceneClosedGate.tsx';
import { SceneNotFound } from '#app/ui/art/scenes/SceneNotFound.tsx';
import { TokenImage } from '#app/ui/art/TokenImage.tsx';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { buttonClass } from '#app/ui/controls/button-class.ts';
import { Copyable } from '#app/ui/controls/Copyable.tsx';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import { Ticket } from '#app/ui/layout/Ticket.tsx';
import { hasStoredForm } from './form.ts';
import { isMissing, useSubmission } from './submissions.queries.ts';

const TONES: Record<'new' | 'reviewed' | 'approved' | 'rejected', Tone> = {
  new: 'lead',
  reviewed: 'sky',
  approved: 'mint',
  rejected: 'coral',
};

type Submission = NonNullable<ReturnType<typeof useSubmission>['data']>;

/** A submission behind its private link: the receipt, and its state. */
export function SubmissionView({ id }: { id: string }) {
  const mounted = useMounted();
  const { hash, state } = useLocation();
  const { sent = false, left = false } = (state as { sent?: boolean; left?: boolean } | null) ?? {};
  return mounted ? <Opened id={id} linkKey={hash.slice(1)} sent={sent} left={left} /> : <Waiting />;
}

interface OpenedProps {
  id: string;
  linkKey: string;
  /** Shown right after sending. */
  sent: boolean;
  /** The form was changed while the request was being sent. */
  left: boolean;
}

function Opened({ id, linkKey, sent, left }: OpenedProps) {
  const text = useText(publishTexts);
  const messages = text.submission;
  const href = useHref();
  const { data, error, isError, refetch } = useSubmission(id, linkKey);
  if (!data) {
    if (linkKey === '' || (isError && isMissing(error)))
      return (
        <EmptyState
          role="alert"
          scene={<SceneClosedGate />}
          title={messages.missing.title}
          text={messages.missing.text}
          action={
            <ButtonLink to={href('/publish')} variant="primary">
              {messages.again}
            </ButtonLink>
          }
        />
      );
    if (!isError) return <Waiting />;
    return (
      <EmptyState
        role="alert"
        scene={<SceneNotFound />}
        title={messages.error}
        action={
          <Button variant="primary" onClick={() => void refetch()}>
            {text.publish.retry}
          </Button>
        }
      />
    );
  }
  const stateText = messages.state[data.status];
  return (
    <div className="grid max-w-[52rem] grid-cols-1 gap-5">
      {sent ? (
        <p
          role="status"
          className="flex items-center gap-2.5 rounded-control bg-mint-soft p-4 font-semibold text-mint-text"
        >
          <PartyPopper aria-hidden="true" className="size-5 flex-none" />
          {messages.sent}
        </p>
      ) : null}
      {left && hasStoredForm() ? (
        <p role="note" className="rounded-control bg-lead-soft p-4 text-lead-text">
          {messages.left}{' '}
          <Link to={href('/publish')} className="link">
            {messages.leftOpen}
          </Link>
        </p>
      ) : null}
      <Ticket
        as="section"
        wide
        tone={data.status === 'approved' ? 'mint' : data.status === 'rejected' ? 'coral' : 'lead'}
        stub={<Receipt submission={data} />}
      >
        <div className="flex items-center gap-3.5">
          <TokenImage id={data.symbol || 'florka'} symbol={data.symbol} src={null} size={56} alt="" />
          <div className="min-w-0">
            <p className="font-display text-lg font-bold leading-tight [overflow-wrap:anywhere]">{data.projectName}</p>
            <p className="figures text-sm text-quiet [overflow-wrap:anywhere]">${data.symbol}</p>
          </div>
          <Badge tone={TONES[data.status]} className="ml-auto self-start">
            {messages.badge[data.status]}
          </Badge>
        </div>
        <div className="mt-5" role="status">
          <h2 className="text-[1.625rem]">{stateText.title}</h2>
          <p className="mt-2 text-quiet">{stateText.text}</p>
        </div>
        {data.answer ? (
          <section className="mt-5 border-l-4 border-lead pl-4" aria-label={messages.answer}>
            <h3 className="text-sm font-semibold">{messages.answer}</h3>
            <p className="mt-1 whitespace-pre-line [overflow-wrap:anywhere]" dir="auto">
              <TextInItsLanguage>{data.answer}</TextInItsLanguage>
            </p>
          </section>
        ) : null}
        <Actions submission={data} />
      </Ticket>
    </div>
  );
}

/** Its reference, and when it was sent and reviewed. */
function Receipt({ submission }: { submission: Submission }) {
  const messages = useText(publishTexts).submission;
  const locale = useLocale();
  return (
    <dl className="grid grid-cols-2 gap-x-5 gap-y-3 sm:min-w-[10rem] sm:grid-cols-1">
      <div>
        <dt className="stat-label">{messages.reference}</dt>
        <dd>
          <Copyable
            value={submission.reference}
            label={messages.copy}
            copiedLabel={messages.copied}
            head={14}
            tail={0}
            className="whitespace-nowrap"
          />
        </dd>
      </div>
      <div>
        <dt className="stat-label">{messages.sentAt}</dt>
        <dd className="text-sm font-semibold">{dateTime(submission.createdAt, locale)}</dd>
      </div>
      {submission.reviewedAt ? (
        <div>
          <dt className="stat-label">{messages.reviewedAt}</dt>
          <dd className="text-sm font-semibold">{dateTime(submission.reviewedAt, locale)}</dd>
        </div>
      ) : null}
    </dl>
  );
}

/** Copies the link; for a decided submission links to the result; mail to the support. */
function Actions({ submission }: { submission: Submission }) {
  const messages = useText(publishTexts).submission;
  const href = useHref();
  return (
    <div className="mt-5 flex flex-wrap items-center gap-3">
      <CopyLink />
      {submission.status === 'rejected' ? (
        <ButtonLink to={href('/publish')} variant="primary">
          {messages.again}
        </ButtonLink>
      ) : null}
      {submission.status === 'approved' ? (
        <ButtonLink to={href('/')} variant="primary">
          {messages.explore}
        </ButtonLink>
      ) : null}
      {submission.supportEmail ? (
        <a
          href={`mailto:${submission.supportEmail}?subject=${encodeURIComponent(messages.subject(submission.reference))}`}
          className={buttonClass({ variant: 'ghost' })}
        >
          {messages.support}
        </a>
      ) : null}
    </div>
  );
}

/** The whole URL including the key, which is needed to return. */
function CopyLink() {
  const text = useText(publishTexts);
  const [done, setDone] = useState(false);
  async function copy() {
    const { href } = window.location;
    try {
      await navigator.clipboard.writeText(href);
      setDone(true);
    } catch {
      notify.error({ title: text.submission.linkCopyFailed, text: href });
    }
  }
  return (
    <Button onClick={() => void copy()}>
      {done ? <Check aria-hidden="true" /> : <Link2 aria-hidden="true" />}
      {done ? text.submission.linkCopied : text.submission.copyLink}
    </Button>
  );
}

function Waiting() {
  const text = useText(publishTexts);
  return (
    <SkeletonGroup label={text.submission.loading} className="max-w-[52rem]">
      <Skeleton className="h-72 rounded-card" />
    </SkeletonGroup>
  );
}
