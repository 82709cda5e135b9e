import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { rpc } from '#app/lib/api/rpc.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { OtherLanguage } from '#app/lib/i18n/LanguageSwitch.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { clearPersonalData } from '#app/lib/session/personal-data.ts';
import { useSignOut } from '#app/lib/session/sign-out.ts';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { ThemeToggle } from '#app/ui/controls/ThemeToggle.tsx';
import { English } from '#app/ui/layout/English.tsx';
import { forgetAdminData } from './admin.queries.ts';

/** E-mail of the signed-in admin, theme, language, link to the site and sign-out. @param bare true on a screen without the menu. */
export function AccountBar({ email, bare }: { email: string; bare: boolean }) {
  const text = useText(adminTexts);
  const messages = text.admin;
  const href = useHref();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const signOut = useSignOut({ done: messages.login.loggedOut, failed: messages.login.logoutFailed }, async () => {
    await navigate(href('/admin-login'));
    queries.setQueryData(rpc.auth.me.queryKey(), null);
    await clearPersonalData(queries, null);
    forgetAdminData(queries);
  });
  return (
    <div className="ml-auto flex min-w-0 flex-wrap items-center justify-end gap-1.5 py-1 sm:gap-2.5">
      <span className="min-w-0 flex-1 basis-16 truncate text-right text-sm text-quiet max-sm:hidden" title={email}>
        {email}
      </span>
      {/* On narrow screens both are in the menu, which a bare screen does not have: the bar stays on one line. */}
      <ThemeToggle labels={text.nav.theme} className={bare ? 'flex-none' : 'flex-none max-md:hidden'} />
      <OtherLanguage className={bare ? 'flex-none' : 'flex-none max-md:hidden'} />
      <ButtonLink to={href('/')} size="sm" variant="ghost" className="flex-none">
        <English>{messages.backToSite}</English>
      </ButtonLink>
      <Button size="sm" className="flex-none" busy={signOut.isPending} onClick={() => signOut.mutate(undefined)}>
        <English>{messages.signOut}</English>
      </Button>
    </div>
  );
}
