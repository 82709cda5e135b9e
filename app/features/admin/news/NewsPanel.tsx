import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ArchiveRestore, Eye, History, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocale, useText } from '#app/lib/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { adminNewsTexts } from '#app/lib/messages/admin/news.ts';
import { notify } from '#app/lib/notify.ts';
import { client, rpc } from '#app/lib/rpc.ts';
import { Badge } from '#app/ui/Badge.tsx';
import { Button, IconButton } from '#app/ui/Button.tsx';
import { Select } from '#app/ui/Field.tsx';
import type { AdminNewsRow } from '#contract/admin/news.ts';
import { TRASH_DAYS } from '#contract/limits.ts';
import { HistoryDialog } from '../audit/Timeline.tsx';
import { AdminTable, type Column, ShelfSwitch } from '../kit/AdminTable.tsx';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { useAdminFailure } from '../kit/failures.ts';
import type { ImagePicker } from '../kit/ImageField.tsx';
import type { AdminList } from '../kit/useAdminList.ts';
import { when } from '../kit/when.ts';
import { NewsDetails, NewsEditor, NewsForm, type NewsValues } from './NewsDialogs.tsx';

interface NewsPanelProps {
  list: AdminList<AdminNewsRow>;
  /** What a new item begins with while its form is open. */
  draft: Partial<NewsValues> | null;
  onDraft: (draft: Partial<NewsValues> | null) => void;
  picker: ImagePicker;
}

/** The quick creator, and the list with its dialogs. */
export function NewsPanel({ list, draft, onDraft, picker }: NewsPanelProps) {
  const words = useText(adminNewsTexts).news;
  const common = useText(adminTexts).admin.list;
  const locale = useLocale();
  const [viewed, setViewed] = useState<string | null>(null);
  const [edited, setEdited] = useState<string | null>(null);
  const [doomed, setDoomed] = useState<AdminNewsRow | null>(null);
  const [told, setTold] = useState<AdminNewsRow | null>(null);
  const act = useNewsActs();
  const trash = list.filter['shelf'] === 'trash';

  const columns: Column<AdminNewsRow>[] = [
    {
      key: 'title',
      header: words.title,
      sort: 'title',
      lead: true,
      cell: ({ title }) => <span dir="auto">{title}</span>,
    },
    { key: 'author', header: words.author, sort: 'authorName', cell: ({ authorName }) => authorName },
    trash
      ? { key: 'deleted', header: words.deleted, cell: ({ deletedAt }) => (deletedAt ? when(deletedAt, locale) : '') }
      : {
          key: 'published',
          header: words.published,
          sort: 'publishedAt',
          cell: ({ publishedAt }) =>
            publishedAt ? when(publishedAt, locale) : <span className="text-quiet">{words.noDate}</span>,
        },
    {
      key: 'status',
      header: words.status,
      sort: 'isActive',
      cell: ({ isActive }) => (
        <Badge tone={isActive ? 'mint' : 'neutral'}>{isActive ? words.isActive : words.isInactive}</Badge>
      ),
    },
  ];
  return (
    <>
      {trash ? (
        <p className="text-sm text-quiet">{common.trashHint(TRASH_DAYS)}</p>
      ) : (
        <section className="bs-panel" aria-labelledby="quick-news">
          <h2 id="quick-news">{words.quick.heading}</h2>
          <p className="mt-1 text-sm text-quiet">{words.quick.lead}</p>
          <div className="mt-3 flex flex-wrap gap-2">
            {words.quick.samples.map(({ name, title, content }) => (
              <Button key={name} size="sm" onClick={() => onDraft({ title, content: content(location.origin) })}>
                {name}
              </Button>
            ))}
          </div>
        </section>
      )}
      <AdminTable
        list={list}
        columns={columns}
        caption={words.heading}
        nameOf={({ title }) => title}
        searchLabel={words.searchLabel}
        filters={
          <>
            <ShelfSwitch list={list} />
            <Select
              aria-label={words.status}
              className="w-auto"
              value={list.filter['status'] ?? 'all'}
              onChange={(event) => list.set({ status: event.target.value })}
            >
              <option value="all">{words.all}</option>
              <option value="active">{words.allActive}</option>
              <option value="inactive">{words.allInactive}</option>
            </Select>
          </>
        }
        loading={words.loading}
        empty={{ title: words.empty, text: words.emptyText }}
        failed={words.loadFailed}
        screen="news"
        actions={(item) => (
          <>
            <IconButton size="sm" label={words.viewOf(item.title)} onClick={() => setViewed(item.id)}>
              <Eye aria-hidden="true" />
            </IconButton>
            <IconButton size="sm" label={words.historyOf(item.title)} onClick={() => setTold(item)}>
              <History aria-hidden="true" />
            </IconButton>
            {trash ? (
              <IconButton size="sm" label={words.restoreOf(item.title)} onClick={() => act.restore.mutate(item)}>
                <ArchiveRestore aria-hidden="true" />
              </IconButton>
            ) : (
              <>
                <IconButton size="sm" label={words.editOf(item.title)} onClick={() => setEdited(item.id)}>
                  <Pencil aria-hidden="true" />
                </IconButton>
                <IconButton size="sm" label={words.deleteOf(item.title)} onClick={() => setDoomed(item)}>
                  <Trash2 aria-hidden="true" />
                </IconButton>
              </>
            )}
          </>
        )}
      />
      {draft ? <NewsForm begin={draft} picker={picker} onClose={() => onDraft(null)} /> : null}
      {edited ? <NewsEditor key={edited} id={edited} picker={picker} onClose={() => setEdited(null)} /> : null}
      {viewed ? <NewsDetails key={viewed} id={viewed} onClose={() => setViewed(null)} /> : null}
      <ConfirmDialog
        open={doomed !== null}
        onClose={() => setDoomed(null)}
        question={
          <>
            {words.deleteQuestion} <strong dir="auto">{doomed?.title}</strong>
          </>
        }
        onConfirm={() => (doomed ? act.remove.mutateAsync(doomed) : Promise.resolve())}
      />
      <HistoryDialog
        record={told && { resourceType: 'news', resourceId: told.id, name: told.title }}
        onClose={() => setTold(null)}
      />
    </>
  );
}

/** What is done with one click; each tells how it went and reads the list again. */
function useNewsActs() {
  const words = useText(adminNewsTexts).news.toast;
  const failure = useAdminFailure('news');
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: rpc.admin.news.key() });
  const told = (done: string, failed: string) => ({
    onSuccess: () => {
      notify.success({ title: done });
      return refresh();
    },
    onError: (error: unknown) => {
      notify.error({ title: failed, text: failure(error) });
      // Somebody else was faster: show what is there now.
      void refresh();
    },
  });
  return {
    remove: useMutation({
      mutationFn: ({ id, version }: AdminNewsRow) => client.admin.news.remove({ id, version }),
      ...told(words.deleted, words.deleteFailed),
    }),
    restore: useMutation({
      mutationFn: ({ id }: AdminNewsRow) => client.admin.news.restore({ id }),
      ...told(words.restored, words.restoreFailed),
    }),
  };
}
