import { Logo, type LogoProps } from '#app/ui/art/Logo.tsx';
import { smallMark } from '#contract/site.ts';
import { useSite } from '../i18n/i18n.tsx';

/** The mark of this site, with its name or for it. */
export function SiteLogo(props: Omit<LogoProps, 'name' | 'mark'>) {
  const { name, mark } = useSite();
  return <Logo {...props} name={name} mark={mark && smallMark(mark)} />;
}
