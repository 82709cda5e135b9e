import { useMailToken } from '#app/features/account/useMailToken.ts';
import { ResetForm } from '#app/features/auth/ResetForm.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { authTexts } from '#app/lib/messages/auth.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { PageHead } from '#app/ui/layout/Page.tsx';
import { Skeleton } from '#app/ui/layout/Skeleton.tsx';

/** Target of the link in a mail for a forgotten password. */
export default function ResetPage() {
  const text = useText(authTexts);
  const token = useMailToken();
  return (
    <div className="page pb-12">
      <Seo title={text.auth.reset.title} hidden />
      <meta name="referrer" content="no-referrer" />
      <meta name="robots" content="noindex" />
      <PageHead title={text.auth.reset.heading} lead={text.auth.reset.lead} />
      <noscript>
        <p className="max-w-prose">{text.auth.linkNeedsScript}</p>
      </noscript>
      {token === null ? (
        <Skeleton className="h-72 rounded-card noscript:hidden" />
      ) : (
        <ResetForm key={token} token={token} />
      )}
    </div>
  );
}
