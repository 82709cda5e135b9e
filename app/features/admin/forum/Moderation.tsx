import { Eye, EyeOff, History, ThumbsUp } from 'lucide-react';
import { useState } from 'react';
import { client } from '#app/lib/api/rpc.ts';
import { When } from '#app/lib/format/When.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { TextInItsLanguage } from '#app/lib/i18n/TextInItsLanguage.tsx';
import { adminForumTexts } from '#app/lib/messages/admin/forum.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button, IconButton } from '#app/ui/controls/Button.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { ModeratedText } from '#contract/admin/forum.ts';
import type { RemovalRule } from '#contract/domains/forum.ts';
import { HistoryDialog } from '../audit/Timeline.tsx';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { useAdminFailure } from '../kit/failures.ts';
import { RuleField } from '../kit/forms/RuleField.tsx';
import { AdminTable, type Column } from '../kit/list/AdminTable.tsx';
import { tableText } from '../kit/list/table-text.ts';
import type { AdminList } from '../kit/list/useAdminList.ts';
import { Switch } from '../kit/Switch.tsx';
import { PersonLink } from '../people/PersonLink.tsx';
import { useActions, useRefreshPeople } from '../people/useActions.tsx';

const KINDS = ['post', 'comment'] as const;
const SHELVES = ['all', 'shown', 'hidden', 'reported'] as const;

interface Requested {
  action: 'hide' | 'restore' | 'keep';
  rows: ModeratedText[];
  clear?: () => void;
}

const useModerationTexts = () => useText(adminForumTexts).forumAdmin.moderation;
type ModerationTexts = ReturnType<typeof useModerationTexts>;

/** Texts of the question before an action. @param count of the texts. */
function questionOf(messages: ModerationTexts, action: Requested['action'], count: number) {
  return {
    hide: {
      title: messages.hideTitle(count),
      text: messages.hideText,
      confirmLabel: messages.hide,
      busyLabel: messages.hiding,
    },
    restore: {
      title: messages.restoreTitle(count),
      text: messages.restoreText,
      confirmLabel: messages.restore,
      busyLabel: messages.restoring,
    },
    keep: {
      title: messages.keepTitle,
      text: messages.keepText,
      confirmLabel: messages.keep,
      busyLabel: messages.keeping,
    },
  }[action];
}

/** The newest, hidden or reported posts or comments, with the moderation actions. */
export function Moderation({ list }: { list: AdminList<ModeratedText> }) {
  const messages = useModerationTexts();
  const failure = useAdminFailure();
  const refresh = useRefreshPeople();
  const { runBulk, report } = useActions('other');
  const [requested, setRequested] = useState<Requested | null>(null);
  const [historyOf, setHistoryOf] = useState<ModeratedText | null>(null);
  const what = list.filter['what'] === 'comment' ? 'comment' : 'post';
  const nameOf = ({ title, content }: ModeratedText) => (what === 'post' ? title : content.slice(0, 60)) || title;

  const [rule, setRule] = useState<RemovalRule | ''>('');
  const run = (
    { action: kind, rows, clear }: Omit<Requested, 'action'> & { action: Requested['action'] | 'hideAgain' },
    reason: string,
    undoing = false,
  ): Promise<void> =>
    runBulk({
      rows: rows.map((row) => ({ id: row.id, name: nameOf(row) })),
      work: (ids) =>
        kind === 'hide' && rule
          ? client.admin.forum.hide({ what, ids, rule, reason })
          : kind === 'hideAgain'
            ? client.admin.forum.hideAgain({ what, ids })
            : client.admin.forum.restore({ what, ids, undo: undoing }),
      done: { title: kind === 'restore' ? messages.toast.restored : messages.toast.hidden },
      // Undoes only what this action changed: a text that was in that state before stays in it.
      undo:
        undoing || kind === 'hideAgain'
          ? undefined
          : (ids) =>
              run(
                { action: kind === 'hide' ? 'restore' : 'hideAgain', rows: rows.filter(({ id }) => ids.includes(id)) },
                '',
                true,
              ),
      failed: kind === 'restore' ? messages.toast.restoreFailed : messages.toast.hideFailed,
    }).then(() => clear?.());
  async function keep(rows: ModeratedText[]) {
    try {
      for (const { id } of rows) await client.admin.inbox.resolveReport({ id, decision: 'kept' });
      notify.success({ title: messages.toast.kept });
    } catch (error) {
      notify.failed(error, { title: messages.toast.keepFailed, text: failure(error) });
      throw error;
    } finally {
      void refresh();
    }
  }
  const action = requested?.action ?? 'hide';
  const count = requested?.rows.length ?? 0;
  const question = questionOf(messages, action, count);

  const columns = useColumns();
  return (
    <div className="grid grid-cols-1 gap-3">
      <div>
        <h2 className="text-[1.125rem]">{messages.heading}</h2>
        <p className="text-sm text-quiet">{messages.lead}</p>
      </div>
      <AdminTable
        {...tableText(messages)}
        list={list}
        columns={columns}
        nameOf={nameOf}
        filters={<Filters list={list} />}
        actions={(row) => (
          <RowActions
            row={row}
            name={nameOf(row)}
            onHistory={() => setHistoryOf(row)}
            onKeep={() => setRequested({ action: 'keep', rows: [row] })}
            onRestore={() => setRequested({ action: 'restore', rows: [row] })}
            onHide={() => setRequested({ action: 'hide', rows: [row] })}
          />
        )}
        bulk={(rows, clear) => (
          <>
            <Button size="sm" onClick={() => setRequested({ action: 'hide', rows, clear })}>
              {messages.hide}
            </Button>
            <Button size="sm" onClick={() => setRequested({ action: 'restore', rows, clear })}>
              {messages.restore}
            </Button>
          </>
        )}
      />
      <ConfirmDialog
        open={requested !== null}
        onClose={() => {
          setRequested(null);
          // The next removal has to name its own rule.
          setRule('');
        }}
        {...question}
        question={requested?.rows.length === 1 && requested.rows[0] ? nameOf(requested.rows[0]) : undefined}
        harmless={action !== 'hide'}
        {...(action === 'hide' ? { reason: 'required' as const, blocked: !rule } : {})}
        onConfirm={async (reason) =>
          requested && (requested.action === 'keep' ? keep(requested.rows) : run(requested, reason))
        }
      >
        {action === 'hide' ? <RuleField value={rule} onChange={setRule} /> : null}
      </ConfirmDialog>
      <HistoryDialog
        record={historyOf && { resourceType: historyOf.what, resourceId: historyOf.id, name: nameOf(historyOf) }}
        onClose={() => setHistoryOf(null)}
      />
      {report}
    </div>
  );
}

/** Choice of posts or comments, and of the filter. */
function Filters({ list }: { list: AdminList<ModeratedText> }) {
  const messages = useModerationTexts();
  const what = list.filter['what'] === 'comment' ? 'comment' : 'post';
  return (
    <>
      <Switch
        className="flex-wrap"
        label={messages.kind}
        name="what"
        value={what}
        choices={KINDS.map((one) => [one, messages.kinds[one]])}
        onChoose={(one) => list.set({ what: one })}
      />
      <Switch
        className="flex-wrap"
        label={messages.shelf}
        name="shelf"
        value={list.filter['shelf'] ?? 'all'}
        choices={SHELVES.map((one) => [one, messages.shelves[one]])}
        onChoose={(one) => list.set({ shelf: one })}
      />
    </>
  );
}

function useColumns(): Column<ModeratedText>[] {
  const messages = useModerationTexts();
  return [
    {
      key: 'text',
      header: messages.text,
      lead: true,
      cell: ({ title, content }) => (
        <div className="min-w-0 max-w-[34rem] md:min-w-48">
          <p className="font-semibold wrap-anywhere">
            <TextInItsLanguage>{title}</TextInItsLanguage>
          </p>
          <p className="line-clamp-3 font-normal text-quiet wrap-anywhere whitespace-pre-line">
            <TextInItsLanguage>{content}</TextInItsLanguage>
          </p>
        </div>
      ),
    },
    {
      key: 'author',
      header: messages.author,
      cell: ({ author, authorId }) => (
        <span className="md:block md:min-w-24 md:whitespace-nowrap">
          {author === null ? messages.noAuthor : <PersonLink id={authorId}>{author}</PersonLink>}
        </span>
      ),
    },
    {
      key: 'date',
      collapsible: true,
      header: messages.date,
      sort: 'createdAt',
      cell: ({ createdAt }) => <When iso={createdAt} />,
    },
    { key: 'state', header: messages.state, cell: (row) => <State row={row} /> },
  ];
}

interface RowActionsProps {
  row: ModeratedText;
  name: string;
  onHistory: () => void;
  onKeep: () => void;
  onRestore: () => void;
  onHide: () => void;
}

/** The actions on one text; a text that its author deleted cannot be restored. */
function RowActions({ row, name, onHistory, onKeep, onRestore, onHide }: RowActionsProps) {
  const messages = useModerationTexts();
  return (
    <>
      <IconButton size="sm" label={messages.historyOf(name)} onClick={onHistory}>
        <History aria-hidden="true" />
      </IconButton>
      {row.reports > 0 && !row.isHidden ? (
        <IconButton size="sm" label={messages.keepOf(name)} onClick={onKeep}>
          <ThumbsUp aria-hidden="true" />
        </IconButton>
      ) : null}
      {row.isHidden ? (
        row.byAuthor ? null : (
          <IconButton size="sm" label={messages.restoreOf(name)} onClick={onRestore}>
            <Eye aria-hidden="true" />
          </IconButton>
        )
      ) : (
        <IconButton size="sm" label={messages.hideOf(name)} onClick={onHide}>
          <EyeOff aria-hidden="true" />
        </IconButton>
      )}
    </>
  );
}

function State({ row }: { row: ModeratedText }) {
  const messages = useModerationTexts();
  return (
    <span className="flex flex-wrap items-center gap-1">
      {row.byAuthor ? (
        <Badge>{messages.byAuthor}</Badge>
      ) : row.isHidden && row.hiddenAt === null ? (
        <Badge tone="lead">{messages.inReview}</Badge>
      ) : row.isHidden ? (
        <>
          <Badge tone="coral">{messages.hidden}</Badge>
          {row.hiddenBy ? <span className="text-xs text-quiet">{messages.hiddenBy(row.hiddenBy)}</span> : null}
        </>
      ) : (
        <Badge tone="mint">{messages.shown}</Badge>
      )}
      {row.reports > 0 ? (
        <>
          <Badge tone="lead">{messages.reports(row.reports)}</Badge>
          <span className="text-xs text-quiet">
            {row.reasons.map((one) => messages.reasons[one as keyof typeof messages.reasons] ?? one).join(', ')}
          </span>
        </>
      ) : null}
    </span>
  );
}
