import { useLocation } from 'react-router';
import { Banner } from '#app/ui/layout/Banner.tsx';
import { withSiteName } from '#contract/site.ts';
import { localeOf, useSite } from '../i18n/i18n.tsx';
import { releaseTexts } from '../messages/release.ts';
import { useOldRelease } from './release.ts';

/** Shown on a page of an earlier release that can't load one of its parts and did not reload automatically. */
export function ReleaseNotice() {
  const { pathname } = useLocation();
  const why = useOldRelease();
  const { name } = useSite();
  if (!why) return null;
  const text = withSiteName(releaseTexts[localeOf(pathname)], name);
  return (
    <Banner className="sticky top-0 z-40 border-b text-center">
      {text.text} {text[why]}{' '}
      <button type="button" className="link" onClick={() => location.reload()}>
        {text.reload}
      </button>
    </Banner>
  );
}
