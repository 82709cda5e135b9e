import { useLocation } from 'react-router';
import { Banner } from '#app/ui/layout/Banner.tsx';
import { withSiteName } from '#contract/site.ts';
import { localeOf, useSite } from '../i18n/i18n.tsx';
import { demoTexts } from '../messages/demo.ts';

/** Above every page of a site that runs as a demo. */
export function DemoBanner() {
  const { pathname } = useLocation();
  const { name } = useSite();
  const { title, text } = withSiteName(demoTexts[localeOf(pathname)], name);
  return (
    <Banner className="border-b text-center">
      <p>
        <strong>{title}</strong> {text}
      </p>
    </Banner>
  );
}
