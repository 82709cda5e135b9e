import { useMailToken } from '#app/features/account/useMailToken.ts';
import { VerifyEmail } from '#app/features/account/VerifyEmail.tsx';
import { SignIn } from '#app/features/auth/AuthForms.tsx';
import { useMe } from '#app/features/auth/auth.queries.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { useMounted } from '#app/lib/live/clock.ts';
import { accountTexts } from '#app/lib/messages/account.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { PageHead } from '#app/ui/layout/Page.tsx';

/** Target of the link in a confirmation mail. Loading the page changes nothing; its script submits the token. */
export default function VerifyPage() {
  const text = useText(accountTexts);
  const token = useMailToken();
  const me = useMe();
  const mounted = useMounted();
  return (
    <div className="page pb-12">
      <Seo title={text.account.verify.title} hidden />
      <meta name="referrer" content="no-referrer" />
      <meta name="robots" content="noindex" />
      <PageHead title={text.account.verify.heading} />
      <noscript>
        <p className="max-w-prose">{text.account.verify.needsScript}</p>
      </noscript>
      <VerifyEmail
        key={token}
        token={token}
        memberId={mounted && me !== undefined ? (me?.id ?? null) : undefined}
        confirmed={me?.emailVerified ? me.email : null}
        signIn={<SignIn onDone={() => {}} />}
      />
    </div>
  );
}
