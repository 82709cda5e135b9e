import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { data, type LoaderFunctionArgs, Outlet, useLocation } from 'react-router';
import { apiContext } from '#app/context.ts';
import { AccountSkeleton } from '#app/features/account/AccountParts.tsx';
import { useOverview } from '#app/features/account/account.queries.ts';
import { PasskeysPart } from '#app/features/account/Passkeys.tsx';
import { PasswordPart } from '#app/features/account/Password.tsx';
import { SecondFactorPart } from '#app/features/account/SecondFactor.tsx';
import { rightsOf } from '#app/features/admin/kit/rights.tsx';
import { screenAt } from '#app/features/admin/navigation.ts';
import { Guard } from '#app/features/admin/Shell.tsx';
import { LanguageProvider, localeOf, useText } from '#app/lib/i18n/i18n.tsx';
import { withAdminFailures } from '#app/lib/messages/admin/failures.ts';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { en } from '#app/lib/messages/en.ts';
import { es } from '#app/lib/messages/es.ts';
import { ToastArea } from '#app/lib/notices/ToastArea.tsx';
import { Button } from '#app/ui/controls/Button.tsx';
import type { AccountOverview } from '#contract/domains/account.ts';

const SPANISH = withAdminFailures(es, 'es');
const ENGLISH = withAdminFailures(en, 'en');

/**
 * Back office and its sign-in, in both languages. Excluded from search engines and caches: the status of these documents is the only
 * one that depends on the user.
 */
export async function loader({ context, request }: LoaderFunctionArgs) {
  if (/\/admin-login\/?$/.test(new URL(request.url).pathname)) return null;
  const screen = screenAt(new URL(request.url).pathname);
  const refused = await context
    .get(apiContext)
    .admin.session()
    .then(
      // Also for an admin without the right to this screen.
      (session) => screen !== undefined && !screen.reads.some(rightsOf(session).may),
      (error: unknown) => [401, 403].includes((error as { status?: number }).status ?? 0),
    );
  return data(null, { status: refused ? 403 : 200 });
}
/** During navigation within the app the screens send their own queries. */
export const clientLoader = () => null;
export const shouldRevalidate = () => false;

export default function AdminLayout() {
  const { pathname } = useLocation();
  const locale = localeOf(pathname);
  const login = /\/admin-login\/?$/.test(pathname);
  return (
    <LanguageProvider locale={locale} text={locale === 'es' ? SPANISH : ENGLISH}>
      <meta name="robots" content="noindex" />
      <noscript>
        <p className="page py-3 text-sm">{(locale === 'es' ? es : en).nav.noScript}</p>
      </noscript>
      {login ? (
        <main id="content">
          <Outlet />
        </main>
      ) : (
        <Guard setup={(onDone, ready) => <Setup onDone={onDone} ready={ready} />}>
          <Outlet />
        </Guard>
      )}
      <ToastArea />
    </LanguageProvider>
  );
}

/** Sets an own password, then the second factor. */
function NextStep({ account }: { account: AccountOverview }) {
  if (account.passwordUntil) return <PasswordPart account={account} />;
  return (
    <>
      {account.passkeysPossible ? <PasskeysPart account={account} /> : null}
      <SecondFactorPart account={account} />
    </>
  );
}

/** The missing requirement for access, as a message. */
function missingFor({ passwordUntil, secondFactorNeeded, secondFactor, passkeyNeeded }: AccountOverview) {
  if (passwordUntil) return 'password';
  if (!secondFactorNeeded) return 'done';
  return secondFactor && passkeyNeeded ? 'passkey' : 'text';
}

/** First setup of new admins: with a generated password, or without a second factor, no screen is accessible. */
function Setup({ onDone, ready }: { onDone: () => void; ready: boolean }) {
  const text = useText(adminTexts);
  const messages = text.admin.setup;
  const queries = useQueryClient();
  const { data: account } = useOverview(true);
  const heading = useRef<HTMLHeadingElement>(null);
  const initial = account && account.passwordUntil !== null;
  const before = useRef(initial);
  useEffect(() => {
    // The form with the focus is gone, and the next step has taken its place.
    if (before.current && initial === false) heading.current?.focus();
    before.current = initial;
  }, [initial]);
  const entered = useRef(false);
  useEffect(
    () => () => {
      // The screen is there by now, in another frame than this one.
      if (entered.current) document.getElementById('content')?.focus({ preventScroll: true });
    },
    [],
  );
  return (
    <div className="page max-w-[44rem] py-8">
      <title>{text.admin.title(messages.title)}</title>
      <h1 ref={heading} tabIndex={-1} className="text-title font-extrabold">
        {messages.title}
      </h1>
      <p className="mt-2 mb-6 text-lg text-quiet">{messages[account ? missingFor(account) : 'text']}</p>
      <div className="grid gap-5">{account ? <NextStep account={account} /> : <AccountSkeleton />}</div>
      {account && (ready || (!account.passwordUntil && !account.secondFactorNeeded)) ? (
        <Button
          variant="primary"
          size="lg"
          className="mt-5"
          onClick={() => {
            entered.current = true;
            void queries.invalidateQueries();
            onDone();
          }}
        >
          {messages.continue}
        </Button>
      ) : null}
    </div>
  );
}
