import { History as HistoryIcon, Pencil, Trash2 } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { serverClock, useNow } from '#app/lib/live/clock.ts';
import { discussionTexts } from '#app/lib/messages/discussion.ts';
import { forumTexts } from '#app/lib/messages/forum.ts';
import { forumMemberTexts } from '#app/lib/messages/forum-member.ts';
import { loadWithRetry } from '#app/lib/page/lazy-loading.ts';
import { Button, ButtonLink, IconButton } from '#app/ui/controls/Button.tsx';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import type { Me } from '#contract/domains/auth.ts';
import type { Post, RemovalRule } from '#contract/domains/forum.ts';
import { EDIT_MINUTES, REMOVAL_REASON_MIN } from '#contract/limits.ts';
import { closedAction } from './forum.queries.ts';
import { type Reportable, ReportButton } from './moderation/ReportButton.tsx';

const RemovalReason = lazy(() => loadWithRetry(() => import('./moderation/RemovalReason.tsx')));
const RestrictMenu = lazy(() => loadWithRetry(() => import('./moderation/RestrictMenu.tsx')));
const RelabelButton = lazy(() => loadWithRetry(() => import('./posts/RelabelButton.tsx')));
const History = lazy(() => loadWithRetry(() => import('./moderation/History.tsx')));

export interface ActionsProps {
  me: Me;
  /** True for the member's own text. */
  own: boolean;
  createdAt: string;
  edited: boolean;
  labels: { edit: string; delete: string; question: string };
  target: Reportable;
  /** A post, whose category and tags may be changed. */
  relabels?: Pick<Post, 'id' | 'title' | 'category' | 'tags' | 'createdAt'>;
  /** Null: the account was deleted. */
  author: string | null;
  onEdit: () => void;
  /** Rejects when it was not deleted; the caller reports the error. */
  onDelete: (target: { id: string; rule?: RemovalRule; reason?: string }) => Promise<unknown>;
}

/**
 * Actions on a post or comment: authors edit for a limited time and delete, moderators delete, other members report it and mute or
 * block its author. The server checks again.
 */
export default function Actions({
  me,
  own,
  createdAt,
  edited,
  labels,
  target,
  relabels,
  author,
  onEdit,
  onDelete,
}: ActionsProps) {
  const text = useText(forumTexts, forumMemberTexts);
  const [confirming, setConfirming] = useState(false);
  const [busy, setBusy] = useState(false);
  /** The refusal of a moderator's deletion, until the account meets the requirement that it names. */
  const [refusal, setRefusal] = useState<unknown>(null);
  const missing = own ? null : me.staffMissing;
  const closed = closedAction(refusal, text, missing);
  const href = useHref();
  const deleting = useRef(false);
  const [because, setBecause] = useState<{ rule: RemovalRule | ''; reason: string }>({ rule: '', reason: '' });
  const { rule, reason } = because;
  /** For texts of others: the rule it breaks and the reason, which its author is notified of. */
  const unready = !own && (!rule || reason.trim().length < REMOVAL_REASON_MIN);
  useEffect(
    () => () => {
      // The focused element was just removed: the focus moves to the board once the dialog has released it, which takes a timer of its
      // own that starts after this one.
      if (deleting.current)
        setTimeout(() => setTimeout(() => document.getElementById('posts')?.focus({ preventScroll: true })));
    },
    [],
  );
  const restrict =
    own || author === null ? null : (
      <Suspense>
        <RestrictMenu memberId={me.id} name={author} />
      </Suspense>
    );
  if (!own && !me.moderates)
    return (
      <>
        {restrict}
        <ReportButton target={target} />
      </>
    );
  async function confirm() {
    if (unready) return;
    setBusy(true);
    deleting.current = true;
    const failure = await onDelete({ id: target.id, ...(own || !rule ? {} : { rule, reason: reason.trim() }) }).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    deleting.current = failure === null;
    setBusy(false);
    if (failure && closedAction(failure.error, text)) setRefusal(failure.error);
    else setConfirming(false);
  }
  return (
    <>
      {restrict}
      {edited && me.moderates ? <HistoryButton target={target} /> : null}
      {relabels ? (
        <Suspense>
          <RelabelButton post={relabels} moderates={me.moderates} missing={missing} />
        </Suspense>
      ) : null}
      {own ? <EditButton createdAt={createdAt} label={labels.edit} onClick={onEdit} /> : null}
      <IconButton size="sm" label={labels.delete} onClick={() => setConfirming(true)}>
        <Trash2 aria-hidden="true" />
      </IconButton>
      <Dialog
        role="alertdialog"
        open={confirming}
        onOpenChange={setConfirming}
        title={closed?.title ?? labels.question}
        // The effect of a removal by the team is described above its reason.
        description={<span role="status">{closed?.text ?? (own ? text.forum.confirmText : null)}</span>}
        actions={
          <>
            <Button onClick={() => setConfirming(false)}>{text.forum.cancel}</Button>
            {closed ? (
              <ButtonLink to={href(closed.to)} variant="primary">
                {closed.link}
              </ButtonLink>
            ) : (
              <Button
                variant="danger"
                disabled={unready}
                busy={busy}
                busyLabel={text.forum.deleting}
                onClick={() => void confirm()}
              >
                {text.forum.delete}
              </Button>
            )}
          </>
        }
      >
        {own || closed ? null : (
          <Suspense>
            <RemovalReason published value={because} onChange={setBecause} />
          </Suspense>
        )}
      </Dialog>
    </>
  );
}

/** Opens the earlier versions of a text, for moderators. */
function HistoryButton({ target }: { target: Reportable }) {
  const text = useText(discussionTexts);
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton size="sm" label={text.discussion.history(target.name)} onClick={() => setOpen(true)}>
        <HistoryIcon aria-hidden="true" />
      </IconButton>
      {open ? (
        <Suspense>
          <History what={target.what} id={target.id} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

/** Hidden when the time for edits is over, by the server's clock. */
function EditButton({ createdAt, label, onClick }: { createdAt: string; label: string; onClick: () => void }) {
  const now = useNow(new Date(serverClock.now()).toISOString());
  if (now - Date.parse(createdAt) >= EDIT_MINUTES * 60_000) return null;
  return (
    <IconButton size="sm" label={label} onClick={onClick}>
      <Pencil aria-hidden="true" />
    </IconButton>
  );
}
