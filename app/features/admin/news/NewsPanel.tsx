import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { dateTime } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { TextInItsLanguage } from '#app/lib/i18n/TextInItsLanguage.tsx';
import { adminNewsTexts } from '#app/lib/messages/admin/news.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { AdminNewsRow } from '#contract/admin/news.ts';
import { Planned, ScheduleButton, useSchedules } from '../editorial/Schedule.tsx';
import { useAdminFailure } from '../kit/failures.ts';
import type { ImagePicker } from '../kit/forms/ImageField.tsx';
import { useReopenedForm } from '../kit/forms/stored-forms.ts';
import { AdminTable, type Column } from '../kit/list/AdminTable.tsx';
import { ListSelect, ShelfSwitch, TrashHint } from '../kit/list/filters.tsx';
import { tableText } from '../kit/list/table-text.ts';
import type { AdminList } from '../kit/list/useAdminList.ts';
import { type OpenRecord, RecordActions } from '../kit/records/RecordActions.tsx';
import { RecordDialogs } from '../kit/records/RecordDialogs.tsx';
import { useTrashActions } from '../kit/records/useTrashActions.ts';
import { useTrashBulk } from '../kit/records/useTrashBulk.tsx';
import { NewsDetails, NewsEditor, NewsForm, type NewsValues } from './NewsDialogs.tsx';

interface NewsPanelProps {
  list: AdminList<AdminNewsRow>;
  /** Initial values of a new item while its form is open. */
  draft: Partial<NewsValues> | null;
  onDraft: (draft: Partial<NewsValues> | null) => void;
  picker: ImagePicker;
}

/** The quick creator, and the list with its dialogs. */
export function NewsPanel({ list, draft, onDraft, picker }: NewsPanelProps) {
  const messages = useText(adminNewsTexts).news;
  const [open, setOpen] = useState<OpenRecord<AdminNewsRow>>(null);
  const mutations = useNewsActions();
  useReopenedForm<AdminNewsRow>('news', (of) => setOpen({ what: 'form', of }));
  useReopenedForm('newNews', () => onDraft({}));
  useReopenedForm<AdminNewsRow>('newsSchedule', (of) => of && setOpen({ what: 'schedule', of }));
  const trash = list.filter['shelf'] === 'trash';
  const queries = useQueryClient();
  const nameOf = ({ title }: AdminNewsRow) => title;
  const { bulk, dialogs } = useTrashBulk<AdminNewsRow>('news', {
    trash,
    nameOf,
    refresh: () => queries.invalidateQueries({ queryKey: rpc.admin.news.key() }),
    screen: 'news',
  });

  const columns = useColumns(trash);
  return (
    <>
      {trash ? (
        <TrashHint />
      ) : (
        <section className="admin-panel" aria-labelledby="quick-news">
          <h2 id="quick-news">{messages.quick.heading}</h2>
          <p className="mt-1 text-sm text-quiet">{messages.quick.lead}</p>
          <div className="mt-3 flex flex-wrap gap-2">
            {messages.quick.samples.map(({ name, title, content }) => (
              <Button key={name} size="sm" onClick={() => onDraft({ title, content: content(location.origin) })}>
                {name}
              </Button>
            ))}
          </div>
        </section>
      )}
      <AdminTable
        {...tableText(messages)}
        list={list}
        columns={columns}
        nameOf={nameOf}
        bulk={bulk}
        filters={
          <>
            <ListSelect
              list={list}
              name="status"
              label={messages.status}
              options={[
                ['all', messages.all],
                ['active', messages.allActive],
                ['inactive', messages.allInactive],
              ]}
            />
            <ShelfSwitch list={list} />
          </>
        }
        screen="news"
        actions={(item) => (
          <RecordActions
            row={item}
            name={item.title}
            setOpen={setOpen}
            onRestore={mutations.restore.mutate}
            viewable
            before={<ScheduleButton name={item.title} onClick={() => setOpen({ what: 'schedule', of: item })} />}
          />
        )}
      />
      {draft ? <NewsForm begin={draft} picker={picker} onClose={() => onDraft(null)} /> : null}
      <RecordDialogs
        list={list}
        open={open}
        setOpen={setOpen}
        resourceType="news"
        versions="news"
        schedule="news"
        nameOf={nameOf}
        form={(item, close) => item && <NewsEditor key={item.id} id={item.id} picker={picker} onClose={close} />}
        details={(item, close) => <NewsDetails key={item.id} id={item.id} onClose={close} />}
        question={({ title }) => (
          <>
            {messages.deleteQuestion} <strong dir="auto">{title}</strong>
          </>
        )}
        onDelete={mutations.remove.mutateAsync}
      />
      {dialogs}
    </>
  );
}

function useColumns(trash: boolean): Column<AdminNewsRow>[] {
  const messages = useText(adminNewsTexts).news;
  const locale = useLocale();
  const schedules = useSchedules('news');
  return [
    {
      key: 'title',
      header: messages.title,
      sort: 'title',
      lead: true,
      cell: ({ title }) => (
        <span dir="auto">
          <TextInItsLanguage>{title}</TextInItsLanguage>
        </span>
      ),
    },
    { key: 'author', header: messages.author, sort: 'authorName', cell: ({ authorName }) => authorName },
    trash
      ? {
          key: 'deleted',
          header: messages.deleted,
          cell: ({ deletedAt }) => (deletedAt ? dateTime(deletedAt, locale) : ''),
        }
      : {
          key: 'published',
          header: messages.published,
          sort: 'publishedAt',
          cell: ({ publishedAt }) =>
            publishedAt ? dateTime(publishedAt, locale) : <span className="text-quiet">{messages.noDate}</span>,
        },
    {
      key: 'status',
      header: messages.status,
      sort: 'isActive',
      cell: ({ id, isActive }) => (
        <span className="flex flex-wrap gap-1.5">
          <Badge tone={isActive ? 'mint' : 'neutral'}>{isActive ? messages.isActive : messages.isInactive}</Badge>
          {trash ? null : <Planned schedule={schedules.get(id)} />}
        </span>
      ),
    },
  ];
}

/** One-click actions; each shows a notice with its outcome and refetches the list. */
function useNewsActions() {
  const messages = useText(adminNewsTexts).news.toast;
  const failure = useAdminFailure('news');
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: rpc.admin.news.key() });
  const failed = (title: string) => (error: unknown) => ({ title, text: failure(error) });
  return useTrashActions({
    remove: (record) => client.admin.news.remove(record),
    restore: (record) => client.admin.news.restore(record),
    notices: {
      remove: { done: messages.deleted, failed: failed(messages.deleteFailed) },
      restore: { done: messages.restored, failed: failed(messages.restoreFailed) },
    },
    refresh,
  });
}
