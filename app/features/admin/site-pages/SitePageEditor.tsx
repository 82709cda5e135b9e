import '../facts.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { client, rpc } from '#app/lib/api/rpc.ts';
import type { Locale } from '#app/lib/format/format.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminSitePagesTexts } from '#app/lib/messages/admin/site-pages.ts';
import { sitePagesTexts } from '#app/lib/messages/site-pages.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { MarkupDocument } from '#app/lib/page/Markup.tsx';
import { Button } from '#app/ui/controls/Button.tsx';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import { Field, Input, Textarea } from '#app/ui/controls/Field.tsx';
import { type SitePageTexts, sitePageForm } from '#contract/admin/forms/site-pages.ts';
import type { SitePageName } from '#contract/domains/site-pages.ts';
import { SITE_PAGES } from '#contract/limits.ts';
import { OthersEditing } from '../editorial/OthersEditing.tsx';
import { FormDialog } from '../kit/forms/FormDialog.tsx';
import { type AdminForm, useAdminForm } from '../kit/forms/useAdminForm.ts';
import { LoadingOrError } from '../kit/LoadingOrError.tsx';

/** The built-in texts, shown until another version is published. */
const builtInTexts = (page: SitePageName): SitePageTexts => {
  const { es, en } = sitePagesTexts;
  return {
    titleEs: es.sitePages.defaults[page].title,
    bodyEs: es.sitePages.defaults[page].body,
    titleEn: en.sitePages.defaults[page].title,
    bodyEn: en.sitePages.defaults[page].body,
  };
};

/** Writes the next version of a page, starting from the current one. */
export function SitePageEditor({ page, onClose }: { page: SitePageName; onClose: () => void }) {
  const text = useText(adminSitePagesTexts);
  const messages = text.sitePagesAdmin;
  const query = useQuery(
    // Not refetched: values must not change under the user's edits; a colleague's change shows as a conflict.
    rpc.admin.sitePages.history.queryOptions({ input: { page }, staleTime: Number.POSITIVE_INFINITY, gcTime: 0 }),
  );
  if (query.data) {
    const [newest] = query.data;
    return (
      <EditorForm
        page={page}
        version={newest?.version ?? 0}
        texts={newest?.texts ?? builtInTexts(page)}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog open onOpenChange={(next) => !next && onClose()} title={text.nav.pages[page]} className="dialog-wide">
      <LoadingOrError
        query={query}
        loading={messages.opening}
        failed={messages.loadFailed}
        placeholders={['h-10', 'h-48']}
        className="grid justify-items-start gap-3"
      />
    </Dialog>
  );
}

/** The id under which the open form of a page is shown to others: pages have names. */
const editedPageId = (page: SitePageName) =>
  `00000000-0000-4000-8000-${String(SITE_PAGES.indexOf(page) + 1).padStart(12, '0')}`;

// A type alias: an interface would not be assignable to a record of form values.
type PageValues = { [Name in keyof SitePageTexts]: string };

interface EditorFormProps {
  page: SitePageName;
  version: number;
  texts: SitePageTexts;
  onClose: () => void;
}

function EditorForm({ page, version, texts, onClose }: EditorFormProps) {
  const text = useText(adminSitePagesTexts);
  const messages = text.sitePagesAdmin;
  const queries = useQueryClient();
  const form = useAdminForm({
    initial: texts as PageValues,
    version,
    schema: sitePageForm,
    messages: { titleEs: messages.needed, bodyEs: messages.needed, titleEn: messages.needed, bodyEn: messages.needed },
    failed: messages.saveFailed,
    stored: { form: 'sitePage', record: { id: page } },
    submit: async (values, seen) => {
      await client.admin.sitePages.save({ page, version: seen, ...values });
      notify.success({ title: messages.saved, text: messages.savedText });
      onClose();
      await queries.invalidateQueries({ queryKey: rpc.admin.sitePages.key() });
    },
  });
  const putBuiltIn = () => {
    for (const [name, value] of Object.entries(builtInTexts(page))) form.set(name as keyof SitePageTexts, value);
  };
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={messages.editOf(text.nav.pages[page])}
      submitLabel={messages.publish}
      fieldNames={{
        titleEs: messages.titleEs,
        bodyEs: messages.bodyEs,
        titleEn: messages.titleEn,
        bodyEn: messages.bodyEn,
      }}
    >
      <OthersEditing kind="site_page" id={editedPageId(page)} />
      <LanguageFields form={form} locale="es" title="titleEs" body="bodyEs" />
      <LanguageFields form={form} locale="en" title="titleEn" body="bodyEn" />
      <Button size="sm" variant="ghost" className="justify-self-start" onClick={putBuiltIn}>
        {messages.useBuiltIn}
      </Button>
    </FormDialog>
  );
}

interface LanguageFieldsProps {
  form: AdminForm<PageValues>;
  locale: Locale;
  title: 'titleEs' | 'titleEn';
  body: 'bodyEs' | 'bodyEn';
}

/** Title and text in one language, with a preview. */
function LanguageFields({ form, locale, title, body }: LanguageFieldsProps) {
  const messages = useText(adminSitePagesTexts).sitePagesAdmin;
  return (
    <>
      <Field label={messages[title]} error={form.errors[title]}>
        <Input {...form.text(title)} autoComplete="off" lang={locale} />
      </Field>
      <Field label={messages[body]} hint={messages.bodyHint} error={form.errors[body]}>
        <Textarea {...form.text(body)} rows={12} lang={locale} />
      </Field>
      <details className="admin-sub">
        <summary className="min-h-6 cursor-pointer text-sm font-semibold text-quiet">
          {messages.preview(messages.languages[locale])}
        </summary>
        <div lang={locale} className="mt-3 grid gap-3 wrap-anywhere [&_h2]:text-lg [&_ul]:list-disc [&_ul]:pl-5">
          <MarkupDocument source={form.values[body]} />
        </div>
      </details>
    </>
  );
}
