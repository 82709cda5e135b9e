import { dateTime, fullDateTime } from '#app/lib/format/format.ts';
import { TextInItsLanguage } from '#app/lib/i18n/TextInItsLanguage.tsx';
import '../facts.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminImageFieldTexts } from '#app/lib/messages/admin/image-field.ts';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { adminNewsTexts } from '#app/lib/messages/admin/news.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Markup } from '#app/lib/page/Markup.tsx';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import { Checkbox, Field, Input, Textarea } from '#app/ui/controls/Field.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { newsForm } from '#contract/admin/forms/news.ts';
import type { AdminNews } from '#contract/admin/news.ts';
import { NEWS_AUTHOR } from '#contract/limits.ts';
import { OthersEditing } from '../editorial/OthersEditing.tsx';
import { FormDialog } from '../kit/forms/FormDialog.tsx';
import { ImageField, type ImagePicker, useImageRefusal } from '../kit/forms/ImageField.tsx';
import { useAdminForm } from '../kit/forms/useAdminForm.ts';
import { LoadingOrError } from '../kit/LoadingOrError.tsx';

// A type alias: an interface would not be assignable to a record of form values.
export type NewsValues = {
  title: string;
  content: string;
  authorName: string;
  imageUrl: string;
  isActive: boolean;
};

const EMPTY: NewsValues = { title: '', content: '', authorName: NEWS_AUTHOR, imageUrl: '', isActive: true };

/** Loads an item, and renders its children with it. */
function Loaded({
  id,
  onClose,
  children,
}: {
  id: string;
  onClose: () => void;
  children: (item: AdminNews) => ReactNode;
}) {
  const messages = useText(adminNewsTexts).news;
  const query = useQuery(
    // Not refetched: values must not change under the user's edits; a colleague's change shows as a conflict.
    rpc.admin.news.read.queryOptions({
      input: { id },
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
    }),
  );
  if (query.data) return children(query.data);
  return (
    <Dialog open onOpenChange={(next) => !next && onClose()} title={messages.detailTitle} className="dialog-wide">
      <LoadingOrError
        query={query}
        loading={messages.opening}
        failed={messages.loadFailed}
        placeholders={['h-10', 'h-48']}
        screen="news"
        className="grid justify-items-start gap-3"
      />
    </Dialog>
  );
}

export function NewsEditor({ id, picker, onClose }: { id: string; picker: ImagePicker; onClose: () => void }) {
  return (
    <Loaded id={id} onClose={onClose}>
      {(item) => <NewsForm edited={item} picker={picker} onClose={onClose} />}
    </Loaded>
  );
}

interface NewsFormProps {
  edited?: AdminNews;
  /** Initial values of a new item; they count as unsaved input. */
  begin?: Partial<NewsValues>;
  picker: ImagePicker;
  onClose: () => void;
}

/** Creates or edits a news item, with a preview of its text. */
export function NewsForm({ edited, begin, picker, onClose }: NewsFormProps) {
  const messages = useText(adminNewsTexts).news;
  const common = useText(adminTexts).admin.form;
  const images = useText(adminImageFieldTexts).image;
  const refusal = useImageRefusal();
  const queries = useQueryClient();
  const form = useAdminForm({
    initial: (edited
      ? {
          title: edited.title,
          content: edited.content,
          authorName: edited.authorName,
          imageUrl: edited.imageUrl ?? '',
          isActive: edited.isActive,
        }
      : { ...EMPTY, ...begin }) satisfies NewsValues,
    version: edited?.version ?? 0,
    schema: newsForm,
    messages: { title: messages.titleNeeded, content: messages.contentNeeded, imageUrl: images.invalid },
    fieldErrors: (error) => {
      const refused = refusal(error);
      return refused ? { imageUrl: refused } : {};
    },
    failed: edited ? messages.toast.updateFailed : messages.toast.createFailed,
    screen: 'news',
    stored: { form: edited ? 'news' : 'newNews', record: edited ?? null },
    submit: async (fields, version) => {
      if (edited) await client.admin.news.update({ id: edited.id, version, ...fields });
      else await client.admin.news.create(fields);
      notify.success({ title: edited ? messages.toast.updated : messages.toast.created });
      onClose();
      await queries.invalidateQueries({ queryKey: rpc.admin.news.key() });
    },
  });
  const source = form.values.content;
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={edited ? messages.editTitle : messages.create}
      submitLabel={edited ? common.update : common.create}
      fieldNames={{
        title: messages.title,
        content: messages.content,
        authorName: messages.author,
        imageUrl: images.label,
        isActive: messages.active,
      }}
    >
      {edited ? <OthersEditing kind="news" id={edited.id} /> : null}
      <Field label={messages.title} error={form.errors.title}>
        <Input {...form.text('title')} autoComplete="off" dir="auto" />
      </Field>
      <Field label={messages.author} error={form.errors.authorName}>
        <Input {...form.text('authorName')} autoComplete="off" />
      </Field>
      <ImageField
        label={images.label}
        value={form.values.imageUrl}
        error={form.errors.imageUrl}
        onChange={(url) => form.set('imageUrl', url)}
        picker={picker}
      />
      <Field label={messages.content} hint={messages.contentHint} error={form.errors.content}>
        <Textarea {...form.text('content')} rows={8} dir="auto" />
      </Field>
      <section aria-label={messages.preview} className="admin-sub">
        <h3 className="text-sm font-semibold text-quiet">{messages.preview}</h3>
        <div className="mt-2 grid gap-3 [overflow-wrap:anywhere] *:min-w-0">
          {source.trim() ? <Markup source={source} /> : <p className="text-sm text-quiet">{messages.previewEmpty}</p>}
        </div>
      </section>
      <Checkbox {...form.flag('isActive')} label={messages.active} hint={messages.activeHint} />
    </FormDialog>
  );
}

/** A news item as readers see it, with its internal data. */
export function NewsDetails({ id, onClose }: { id: string; onClose: () => void }) {
  const messages = useText(adminNewsTexts).news;
  const locale = useLocale();
  const href = useHref();
  return (
    <Loaded id={id} onClose={onClose}>
      {(item) => (
        <Dialog
          open
          onOpenChange={(next) => !next && onClose()}
          title={
            <span dir="auto">
              <TextInItsLanguage>{item.title}</TextInItsLanguage>
            </span>
          }
          className="dialog-wide"
          actions={
            <>
              <Button onClick={onClose}>{messages.close}</Button>
              {item.isActive && !item.deletedAt ? (
                <ButtonLink to={href(`/news/${item.id}`)} variant="primary">
                  {messages.onSite}
                </ButtonLink>
              ) : null}
            </>
          }
        >
          <dl className="admin-facts">
            <div>
              <dt>{messages.author}</dt>
              <dd>{item.authorName}</dd>
            </div>
            <div>
              <dt>{messages.status}</dt>
              <dd>
                <Badge tone={item.isActive ? 'mint' : 'neutral'}>
                  {item.isActive ? messages.isActive : messages.isInactive}
                </Badge>
              </dd>
            </div>
            {(
              [
                [messages.published, item.publishedAt],
                [messages.created, item.createdAt],
                [messages.updated, item.updatedAt],
              ] as const
            ).map(([name, at]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd title={at ? fullDateTime(at, locale) : undefined}>{at ? dateTime(at, locale) : messages.noDate}</dd>
              </div>
            ))}
          </dl>
          {item.imageUrl ? (
            <img
              src={item.imageUrl}
              alt=""
              className="mt-4 max-h-56 w-full rounded-card object-cover"
              onError={({ currentTarget }) => {
                currentTarget.hidden = true;
              }}
            />
          ) : null}
          <div className="mt-4 grid gap-3 leading-relaxed [overflow-wrap:anywhere] *:min-w-0">
            <Markup source={item.content} />
          </div>
        </Dialog>
      )}
    </Loaded>
  );
}
