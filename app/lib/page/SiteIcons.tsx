import { useAsset } from '#app/ui/assets.ts';
import { markIcon } from '#contract/site.ts';
import { useSite } from '../i18n/i18n.tsx';

/** Icons of the site for tabs and home screens; React hoists them into the head and updates them there. */
export function SiteIcons() {
  const { mark } = useSite();
  const own = useAsset(mark && markIcon(mark));
  return (
    <>
      <link rel="icon" href={own ?? '/favicon.svg'} type={own ? 'image/png' : 'image/svg+xml'} />
      <link rel="apple-touch-icon" href={own ?? '/apple-touch-icon.png'} />
    </>
  );
}
