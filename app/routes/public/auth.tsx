import { Link } from 'react-router';
import { SignIn, SignUpForm } from '#app/features/auth/AuthForms.tsx';
import { useMe } from '#app/features/auth/auth.queries.ts';
import { LinkForms } from '#app/features/auth/LinkForms.tsx';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { authTexts } from '#app/lib/messages/auth.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { Tabs } from '#app/ui/controls/Tabs.tsx';
import { cx } from '#app/ui/cx.ts';
import { FormCard } from '#app/ui/layout/FormCard.tsx';
import { PageHead } from '#app/ui/layout/Page.tsx';

/** Sign-in and sign-up; for a member the two linking forms. */
export default function AuthPage() {
  const text = useText(authTexts);
  const me = useMe();
  return (
    <div className="page py-8">
      <Seo title={text.auth.title} hidden />
      {me ? (
        <>
          <PageHead title={text.auth.heading} lead={text.auth.signedInAs(me.email)} />
          <LinkForms />
        </>
      ) : (
        <FormCard
          className="visitor-only"
          aside={
            <div className="relative">
              <h1 className="text-title font-extrabold">{text.auth.heading}</h1>
              <p className="mt-2 text-lg">{text.auth.lead}</p>
            </div>
          }
        >
          <Tabs
            label={text.auth.heading}
            items={[
              { value: 'sign-in', label: text.auth.signInTab, content: <SignIn /> },
              { value: 'sign-up', label: text.auth.signUpTab, content: <SignUpForm /> },
            ]}
          />
        </FormCard>
      )}
      <Below visitor={!me} />
    </div>
  );
}

function Below({ visitor }: { visitor: boolean }) {
  const text = useText(authTexts);
  const href = useHref();
  return (
    <div
      className={cx(
        'mt-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-1 text-sm text-quiet',
        visitor && 'visitor-only',
      )}
    >
      <Link to={href('/')} className="link inline-flex min-h-11 items-center">
        {text.auth.backHome}
      </Link>
      <p>{text.auth.help}</p>
    </div>
  );
}
