import { ButtonLink } from '#app/ui/Button.tsx';
import { EmptyState } from '#app/ui/EmptyState.tsx';
import { Logo } from '#app/ui/Logo.tsx';
import { SceneLostTicket } from '#app/ui/scenes.tsx';
import type { Locale } from './format.ts';
import { localize } from './i18n.tsx';
import { errorScreen } from './messages/error-screen.ts';

/** What is shown for an unknown address and for a crash. */
export function ErrorScreen({ locale, status }: { locale: Locale; status: number }) {
  const text = errorScreen[locale];
  return (
    <main className="page flex min-h-svh flex-col py-4" id="content">
      <title>{`${status} · Florka`}</title>
      <Logo name="Florka" wordmark className="self-start" />
      <EmptyState
        className="m-auto"
        level={1}
        role="alert"
        scene={<SceneLostTicket />}
        title={text.title}
        text={`${status} · ${status === 404 ? text.notFound : status === 429 ? text.tooMany : text.failed}`}
        action={
          <ButtonLink to={localize('/', locale)} variant="primary" reloadDocument>
            {text.home}
          </ButtonLink>
        }
      />
    </main>
  );
}
