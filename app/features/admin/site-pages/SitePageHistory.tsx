import '../facts.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { When } from '#app/lib/format/When.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminEditorialTexts } from '#app/lib/messages/admin/editorial.ts';
import { adminSitePagesTexts } from '#app/lib/messages/admin/site-pages.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { MarkupDocument } from '#app/lib/page/Markup.tsx';
import { Button } from '#app/ui/controls/Button.tsx';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { SitePageVersion } from '#contract/admin/site-pages.ts';
import type { SitePageName } from '#contract/domains/site-pages.ts';
import { Differences } from '../editorial/Differences.tsx';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { conflictOf, useAdminFailure } from '../kit/failures.ts';
import { LoadingOrError } from '../kit/LoadingOrError.tsx';
import { useUndo } from '../kit/notices.ts';

/** The newest versions of a page; each of them can be published again. */
export function SitePageHistory({ page, onClose }: { page: SitePageName; onClose: () => void }) {
  const text = useText(adminSitePagesTexts);
  const messages = text.sitePagesAdmin;
  const failure = useAdminFailure();
  const queries = useQueryClient();
  const query = useQuery(rpc.admin.sitePages.history.queryOptions({ input: { page } }));
  /** `seen`: the current version when the dialog opened. The list follows a colleague's save, which must not be replaced unread. */
  const [requested, setRequested] = useState<{ version: number; seen: number } | null>(null);
  const current = query.data?.[0]?.version ?? 0;
  const undo = useUndo();
  /** @param seen the current version; the undo publishes it again. */
  async function restore(version: number, seen: number): Promise<void> {
    try {
      const after = await client.admin.sitePages.restore({ page, version: seen, restore: version });
      notify.success({
        title: messages.restored,
        text: messages.savedText,
        ...undo(() => restore(seen, after.version).catch(() => {})),
      });
    } catch (error) {
      if (conflictOf(error)) setRequested(null);
      notify.failed(error, { title: messages.restoreFailed, text: failure(error) });
      throw error;
    } finally {
      await queries.invalidateQueries({ queryKey: rpc.admin.sitePages.key() });
    }
  }
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={messages.historyOf(text.nav.pages[page])}
      className="dialog-wide"
      actions={<Button onClick={onClose}>{messages.close}</Button>}
    >
      {query.data ? (
        query.data.length === 0 ? (
          <p className="text-quiet">{messages.noHistory}</p>
        ) : (
          <ol className="grid gap-3">
            {query.data.map((one) => (
              <li key={one.version} className="admin-sub">
                <Version
                  version={one}
                  present={query.data[0]}
                  onRestore={() => setRequested({ version: one.version, seen: current })}
                />
              </li>
            ))}
          </ol>
        )
      ) : (
        <LoadingOrError
          query={query}
          loading={messages.opening}
          failed={messages.loadFailed}
          placeholders={['h-16', 'h-16']}
          className="grid justify-items-start gap-3"
        />
      )}
      <ConfirmDialog
        open={requested !== null}
        onClose={() => setRequested(null)}
        title={messages.restoreTitle(requested?.version ?? 0)}
        text={messages.restoreText}
        confirmLabel={messages.restore}
        busyLabel={messages.restoring}
        harmless
        onConfirm={async () => requested && restore(requested.version, requested.seen)}
      />
    </Dialog>
  );
}

interface VersionProps {
  version: SitePageVersion;
  /** The current version. */
  present: SitePageVersion | undefined;
  onRestore: () => void;
}

function Version({ version, present, onRestore }: VersionProps) {
  const messages = useText(adminSitePagesTexts).sitePagesAdmin;
  const editorial = useText(adminEditorialTexts).editorial.versions;
  const current = present?.version;
  const { texts } = version;
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <strong>{messages.version(version.version)}</strong>
          {version.version === current ? <Badge tone="mint">{messages.current}</Badge> : null}
          {version.restoredFrom === null ? null : <Badge>{messages.restoredFrom(version.restoredFrom)}</Badge>}
          <span className="text-sm text-quiet">
            <When iso={version.savedAt} /> · {messages.by(version.savedBy ?? messages.someone)}
          </span>
        </p>
        {version.version === current ? null : (
          <Button size="sm" aria-label={messages.restoreOf(version.version)} onClick={onRestore}>
            {messages.restore}
          </Button>
        )}
      </div>
      {present && version.version !== current ? (
        <details className="mt-2">
          <summary className="min-h-6 cursor-pointer text-sm">{editorial.differences}</summary>
          <div className="mt-2">
            <Differences before={texts} after={present.texts} nameOf={(name) => messages[name as keyof typeof texts]} />
          </div>
        </details>
      ) : null}
      {(
        [
          ['es', texts.titleEs, texts.bodyEs],
          ['en', texts.titleEn, texts.bodyEn],
        ] as const
      ).map(([locale, title, body]) => (
        <details key={locale} className="mt-2">
          <summary className="min-h-6 cursor-pointer">
            <span className="text-sm text-quiet uppercase">{locale}</span> <span lang={locale}>{title}</span>
          </summary>
          <div lang={locale} className="mt-2 grid gap-3 wrap-anywhere [&_h2]:text-lg [&_ul]:list-disc [&_ul]:pl-5">
            <MarkupDocument source={body} />
          </div>
        </details>
      ))}
    </>
  );
}
