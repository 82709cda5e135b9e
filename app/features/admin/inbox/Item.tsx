import { Hand } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ago } from '#app/lib/format/ago.ts';
import { dateTime, fullDateTime } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { TextInItsLanguage } from '#app/lib/i18n/TextInItsLanguage.tsx';
import { adminInboxTexts } from '#app/lib/messages/admin/inbox.ts';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import type { InboxItem, InboxSource } from '#contract/admin/inbox.ts';
import type { RemovalRule } from '#contract/domains/forum.ts';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { RuleField } from '../kit/forms/RuleField.tsx';
import { useNetworkNames } from '../networks/names.ts';
import { PersonLink } from '../people/PersonLink.tsx';
import { AppealAction } from './AppealAction.tsx';
import { AUTHOR_DELETED, detailsOf, ITEM_TEXTS, MAIL_EXPIRED, OWN_TEXT, titleOf } from './item-text.ts';
import { useHold } from './useHold.ts';
import { type ItemActions, useItemActions } from './useItemActions.ts';

/** Columns of an item that users may hide; its subject is always shown. */
export const INBOX_PARTS = ['source', 'since', 'details', 'person', 'due', 'owner'] as const;
export type InboxPart = (typeof INBOX_PARTS)[number];

const TONES: Record<InboxSource, Tone> = {
  payment: 'coral',
  unplaced: 'coral',
  request: 'lead',
  creation: 'coral',
  chain: 'coral',
  submission: 'sky',
  moderator: 'neutral',
  report: 'coral',
  appeal: 'coral',
  review: 'lead',
  vote_cluster: 'lead',
  job: 'neutral',
  deliverable: 'coral',
  refund: 'lead',
  settlement: 'coral',
  reading: 'coral',
  source: 'lead',
};

/** Where the work of an item is done; reports and jobs are settled here. */
const workPathOf = ({ source, id, title }: InboxItem): string | null => {
  if (source === 'payment') return `/admin/token-creation?payment=${id}`;
  if (source === 'unplaced') return `/admin/token-creation?deposit=${encodeURIComponent(id)}`;
  if (source === 'request') return `/admin/token-creation?request=${id}`;
  if (['creation', 'reading', 'source'].includes(source)) return `/admin/token-creation?tab=create&from=${id}`;
  if (source === 'chain') return '/admin/token-creation?tab=create';
  if (source === 'submission') return `/admin/submissions?open=${id}`;
  if (source === 'vote_cluster') return `/admin/vote-review?id=${id}&state=all`;
  if (source === 'deliverable') return `/admin/deliverables?overdue=yes&q=${title}`;
  if (source === 'refund') return `/admin/refunds?q=${title}`;
  if (source === 'settlement') return `/admin/settlement?q=${title}`;
  if (source === 'review') return '/moderation';
  if (source === 'moderator') return `/admin/moderator-requests?q=${id}`;
  return null;
};

interface ItemProps {
  item: InboxItem;
  now: number;
  /** True for the parts of the item that are shown. */
  shows: (part: InboxPart) => boolean;
  /** The checkbox that selects the item. */
  choice: ReactNode;
  /** Called with true while a dialog of the item is open, which keeps it in the list. */
  onHold: (held: boolean) => void;
}

/** One item of the inbox, with its actions. */
export function Item({ item, now, shows, choice, onHold }: ItemProps) {
  const text = useText(...ITEM_TEXTS);
  const messages = text.inbox;
  const href = useHref();
  const title = titleOf(item, text);
  const position = workPathOf(item);
  const mutations = useItemActions(item);
  const [discarding, setDiscarding] = useState(false);
  useHold(discarding, onHold);
  return (
    <article
      className="admin-panel flex flex-wrap items-center gap-x-2 gap-y-2 sm:grid sm:gap-x-4 sm:grid-cols-[1fr_auto] xl:grid-cols-[1fr_auto_auto]"
      aria-label={title}
    >
      <div className="min-w-0 max-sm:basis-full sm:col-span-full xl:col-span-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {choice}
          {shows('source') ? <Badge tone={TONES[item.source]}>{messages.sources[item.source]}</Badge> : null}
          <span className="min-w-0 font-semibold wrap-anywhere">
            <TextInItsLanguage>{title}</TextInItsLanguage>
          </span>
        </p>
        <About item={item} now={now} shows={shows} />
      </div>
      <div className="text-sm max-sm:contents sm:flex sm:flex-wrap sm:items-center sm:gap-2">
        {shows('owner') ? (
          <span className="text-sm text-quiet max-sm:w-full">
            {messages.owner}: {item.owner?.name ?? messages.nobody}
          </span>
        ) : null}
        {item.owner ? (
          <Button
            size="sm"
            variant="ghost"
            aria-label={messages.releaseOf(title)}
            busy={mutations.release.isPending}
            onClick={() => mutations.release.mutate()}
          >
            {messages.release}
          </Button>
        ) : (
          <Button
            size="sm"
            aria-label={messages.takeOf(title)}
            busy={mutations.take.isPending}
            onClick={() => mutations.take.mutate()}
          >
            <Hand aria-hidden="true" />
            {messages.take}
          </Button>
        )}
      </div>
      <div className="max-sm:contents sm:flex sm:flex-wrap sm:justify-end sm:gap-2">
        {position ? (
          <ButtonLink
            to={href(position)}
            size="sm"
            variant="soft"
            aria-label={messages.nextOf(messages.next[item.source], title)}
          >
            {messages.next[item.source]}
          </ButtonLink>
        ) : item.source === 'report' ? (
          <ReportActions item={item} mutations={mutations} onHold={onHold} />
        ) : item.source === 'appeal' ? (
          <AppealAction id={item.id} title={title} onHold={onHold} />
        ) : (
          <>
            {item.details.includes(MAIL_EXPIRED) ? null : (
              <Button
                size="sm"
                variant="soft"
                aria-label={messages.nextOf(messages.retryJob, title)}
                busy={mutations.settle.isPending}
                onClick={() => mutations.settle.mutate('retry')}
              >
                {messages.retryJob}
              </Button>
            )}
            <Button
              size="sm"
              variant="ghost"
              aria-label={messages.nextOf(messages.discardJob, title)}
              onClick={() => setDiscarding(true)}
            >
              {messages.discardJob}
            </Button>
            <ConfirmDialog
              open={discarding}
              onClose={() => setDiscarding(false)}
              title={messages.discardTitle}
              question={title}
              text={messages.discardText}
              confirmLabel={messages.discardJob}
              busyLabel={messages.discarding}
              onConfirm={() => mutations.settle.mutateAsync('discard')}
            />
          </>
        )}
      </div>
    </article>
  );
}

/** Since when it waits, its details, the person that it is about, and its deadline. */
export function About({ item, now, shows }: Omit<ItemProps, 'choice' | 'onHold'>) {
  const text = useText(...ITEM_TEXTS);
  const locale = useLocale();
  const networkName = useNetworkNames();
  const { person } = item;
  return (
    <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-quiet">
      {shows('since') ? (
        <time dateTime={item.since} title={fullDateTime(item.since, locale)}>
          {ago(item.since, now, locale)}
        </time>
      ) : null}
      {shows('details') ? (
        <span className="min-w-0 wrap-anywhere">{detailsOf(item, { text, locale, networkName })}</span>
      ) : null}
      {person && shows('person') ? (
        <span className="min-w-0 wrap-anywhere">
          <PersonLink id={person.id} mailbox={person.mailbox}>
            {person.name}
          </PersonLink>
        </span>
      ) : null}
      {item.dueAt && shows('due') ? <Due at={item.dueAt} now={now} /> : null}
    </p>
  );
}

interface ReportActionsProps extends Pick<ItemProps, 'item' | 'onHold'> {
  mutations: ItemActions;
}

function ReportActions({ item, mutations, onHold }: ReportActionsProps) {
  const messages = useText(adminInboxTexts).inbox;
  const href = useHref();
  const [requested, setRequested] = useState<'keep' | 'hide' | null>(null);
  useHold(requested !== null, onHold);
  const [rule, setRule] = useState<RemovalRule | ''>('');
  const what = item.details[0] === 'comment' ? 'comment' : 'post';
  // A text that its author deleted can be neither kept nor hidden: only its reports are answered.
  const gone = item.details.includes(AUTHOR_DELETED);
  const own = item.details.includes(OWN_TEXT);
  const keep = gone
    ? { label: messages.close, title: messages.closeTitle, text: messages.closeText }
    : { label: messages.keep, title: messages.keepTitle, text: messages.keepText };
  return (
    <>
      <ButtonLink
        to={href(`/admin/forum?what=${what}&q=${item.id}`)}
        size="sm"
        variant="ghost"
        aria-label={messages.nextOf(messages.see, item.title)}
      >
        {messages.see}
      </ButtonLink>
      {own ? <p className="basis-full text-sm text-quiet sm:text-end">{messages.ownText}</p> : null}
      <Button
        size="sm"
        disabled={own}
        aria-label={messages.nextOf(keep.label, item.title)}
        onClick={() => setRequested('keep')}
      >
        {keep.label}
      </Button>
      {gone ? null : (
        <Button
          size="sm"
          variant="soft"
          disabled={own}
          aria-label={messages.nextOf(messages.hide, item.title)}
          onClick={() => setRequested('hide')}
        >
          {messages.hide}
        </Button>
      )}
      <ConfirmDialog
        open={requested === 'keep'}
        onClose={() => setRequested(null)}
        title={keep.title}
        question={item.title}
        text={keep.text}
        confirmLabel={keep.label}
        busyLabel={messages.keeping}
        harmless
        onConfirm={() => mutations.resolve.mutateAsync({ decision: 'kept', reason: '' })}
      />
      <ConfirmDialog
        open={requested === 'hide'}
        onClose={() => setRequested(null)}
        title={messages.hideTitle}
        question={item.title}
        text={messages.hideText}
        confirmLabel={messages.hide}
        busyLabel={messages.hiding}
        reason="required"
        blocked={!rule}
        onConfirm={async (reason) => rule && mutations.resolve.mutateAsync({ decision: 'hidden', rule, reason })}
      >
        <RuleField value={rule} onChange={setRule} />
      </ConfirmDialog>
    </>
  );
}

/** By when an answer is due. */
function Due({ at, now }: { at: string; now: number }) {
  const messages = useText(adminInboxTexts).inbox;
  const locale = useLocale();
  const over = Date.parse(at) < now;
  return (
    <time dateTime={at} title={fullDateTime(at, locale)} className={over ? 'font-semibold text-danger' : undefined}>
      {(over ? messages.overdue : messages.due)(dateTime(at, locale))}
    </time>
  );
}
