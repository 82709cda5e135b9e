import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { rpc } from '#app/lib/api/rpc.ts';
import { When } from '#app/lib/format/When.tsx';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { adminSitePagesTexts } from '#app/lib/messages/admin/site-pages.ts';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import type { SitePageState } from '#contract/admin/site-pages.ts';
import type { SitePageName } from '#contract/domains/site-pages.ts';
import { useReopenedForm } from '../kit/forms/stored-forms.ts';
import { LoadingOrError } from '../kit/LoadingOrError.tsx';
import { SitePageEditor } from './SitePageEditor.tsx';
import { SitePageHistory } from './SitePageHistory.tsx';

/** The pages about the site, each with its last author, its form and its versions. */
export function SitePagesPanel() {
  const messages = useText(adminSitePagesTexts).sitePagesAdmin;
  const query = useQuery(rpc.admin.sitePages.list.queryOptions());
  const [open, setOpen] = useState<{ what: 'form' | 'history'; page: SitePageName } | null>(null);
  const close = () => setOpen(null);
  useReopenedForm<{ id: SitePageName }>('sitePage', (of) => of && setOpen({ what: 'form', page: of.id }));
  if (!query.data)
    return (
      <LoadingOrError
        query={query}
        loading={messages.loading}
        failed={messages.loadFailed}
        placeholders={['h-16 rounded-card', 'h-16 rounded-card', 'h-16 rounded-card']}
      />
    );
  return (
    <>
      <ul className="grid gap-3">
        {query.data.map((state) => (
          <li key={state.page} className="admin-panel">
            <Line state={state} onOpen={(what) => setOpen({ what, page: state.page })} />
          </li>
        ))}
      </ul>
      {open?.what === 'form' ? <SitePageEditor key={open.page} page={open.page} onClose={close} /> : null}
      {open?.what === 'history' ? <SitePageHistory key={open.page} page={open.page} onClose={close} /> : null}
    </>
  );
}

function Line({ state, onOpen }: { state: SitePageState; onOpen: (what: 'form' | 'history') => void }) {
  const text = useText(adminSitePagesTexts);
  const messages = text.sitePagesAdmin;
  const href = useHref();
  const name = text.nav.pages[state.page];
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h2 className="text-lg">{name}</h2>
        <p className="text-sm text-quiet">
          {state.savedAt ? (
            <>
              {messages.version(state.version)} · <When iso={state.savedAt} /> ·{' '}
              {messages.by(state.savedBy ?? messages.someone)}
            </>
          ) : (
            messages.builtIn
          )}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <ButtonLink to={href(`/${state.page}`)} size="sm" aria-label={messages.viewOf(name)}>
          {messages.view}
        </ButtonLink>
        <Button size="sm" aria-label={messages.historyOf(name)} onClick={() => onOpen('history')}>
          {messages.history}
        </Button>
        <Button size="sm" aria-label={messages.editOf(name)} onClick={() => onOpen('form')}>
          {messages.edit}
        </Button>
      </div>
    </div>
  );
}
