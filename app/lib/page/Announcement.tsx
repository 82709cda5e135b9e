import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { Banner } from '#app/ui/layout/Banner.tsx';
import type { SiteNotices } from '#contract/domains/settings.ts';
import { rpc } from '../api/rpc.ts';
import { localeOf } from '../i18n/i18n.tsx';

/** Above every page: what the operators announce. It came with the document and follows their changes. */
export function Announcement({ first }: { first: SiteNotices }) {
  const { pathname } = useLocation();
  const { data } = useQuery(
    rpc.settings.notices.queryOptions({ initialData: first, staleTime: Number.POSITIVE_INFINITY }),
  );
  if (!data.announcement) return null;
  return (
    <Banner className="border-b text-center whitespace-pre-line wrap-anywhere">
      {data.announcement[localeOf(pathname)]}
    </Banner>
  );
}
