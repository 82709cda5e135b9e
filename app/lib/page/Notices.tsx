import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { Banner } from '#app/ui/layout/Banner.tsx';
import type { SiteNotices } from '#contract/domains/settings.ts';
import { rpc } from '../api/rpc.ts';
import { localeOf, SiteProvider } from '../i18n/i18n.tsx';
import { SiteIcons } from './SiteIcons.tsx';

/** Provides the site's name and the operators' announcement to every page. They come with the document and are updated by live events. */
export function Notices({ first, above, children }: { first: SiteNotices; above: ReactNode; children: ReactNode }) {
  const { pathname } = useLocation();
  const { data } = useQuery(
    rpc.settings.notices.queryOptions({ initialData: first, staleTime: Number.POSITIVE_INFINITY }),
  );
  return (
    <SiteProvider value={data.site}>
      <SiteIcons />
      {above}
      {data.announcement ? (
        <Banner className="border-b text-center whitespace-pre-line wrap-anywhere">
          {data.announcement[localeOf(pathname)]}
        </Banner>
      ) : null}
      {children}
    </SiteProvider>
  );
}
