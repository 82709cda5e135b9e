import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { failureText } from '#app/lib/api/failure.ts';
import { IDEMPOTENT_RETRY } from '#app/lib/api/lost-answer.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { OtherLanguage } from '#app/lib/i18n/LanguageSwitch.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { cancelPersonalReads, clearPersonalData } from '#app/lib/session/personal-data.ts';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { ThemeToggle } from '#app/ui/controls/ThemeToggle.tsx';
import { English } from '#app/ui/layout/English.tsx';
import { forgetAdminData } from './admin.queries.ts';

/** Who is signed in, and what concerns the whole bar. @param bare a screen without the menu. */
export function AccountBar({ email, bare }: { email: string; bare: boolean }) {
  const text = useText(adminTexts);
  const messages = text.admin;
  const href = useHref();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const signOut = useMutation(
    rpc.auth.signOut.mutationOptions({
      ...IDEMPOTENT_RETRY,
      onMutate: () => cancelPersonalReads(queries),
      onSettled: (_, error, __, over) => over?.(error !== null),
      onSuccess: async () => {
        await navigate(href('/admin-login'));
        queries.setQueryData(rpc.auth.me.queryKey(), null);
        await clearPersonalData(queries, null);
        forgetAdminData(queries);
        void import('#app/lib/session/drafts.ts').then(({ forgetDrafts }) => forgetDrafts());
        notify.success(messages.login.loggedOut);
      },
      onError: (error) => {
        notify.failed(error, { title: messages.login.logoutFailed, text: failureText(error, text) });
        // On failure it is unknown whether the sign-out happened.
        void queries.invalidateQueries({ queryKey: rpc.auth.me.key() });
      },
    }),
  );
  return (
    <div className="ml-auto flex min-w-0 flex-wrap items-center justify-end gap-1.5 py-1 sm:gap-2.5">
      <span className="min-w-0 flex-1 basis-16 truncate text-right text-sm text-quiet max-sm:hidden" title={email}>
        {email}
      </span>
      {/* On a phone both are in the menu, which a bare screen does not have: the bar stays on one line. */}
      <ThemeToggle labels={text.nav.theme} className={bare ? 'flex-none' : 'flex-none max-[28rem]:hidden'} />
      <OtherLanguage className={bare ? 'flex-none' : 'flex-none max-[28rem]:hidden'} />
      <ButtonLink to={href('/')} size="sm" variant="ghost" className="flex-none">
        <English>{messages.backToSite}</English>
      </ButtonLink>
      <Button size="sm" className="flex-none" busy={signOut.isPending} onClick={() => signOut.mutate(undefined)}>
        <English>{messages.signOut}</English>
      </Button>
    </div>
  );
}
