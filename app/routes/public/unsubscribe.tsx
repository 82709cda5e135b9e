import { useSearchParams } from 'react-router';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { savedTexts } from '#app/lib/messages/saved.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { SceneNotFound } from '#app/ui/art/scenes/SceneNotFound.tsx';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { buttonClass } from '#app/ui/controls/button-class.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { UNSUBSCRIBE_FORM_PARAMETER } from '#contract/text/unsubscribe-address.ts';

/** Target of the unsubscribe link in mails: one button, no sign-in, no script needed. */
export default function UnsubscribePage() {
  const text = useText(savedTexts).saved.unsubscribe;
  const all = useText(savedTexts);
  const href = useHref();
  const [parameters] = useSearchParams();
  const posted = new URLSearchParams({ token: parameters.get('token') ?? '', [UNSUBSCRIBE_FORM_PARAMETER]: '1' });
  const outcome = parameters.has('done') ? text.done : parameters.has('unknown') ? text.unknown : null;
  return (
    <div className="page py-10">
      <Seo title={text.title} hidden />
      <EmptyState
        level={1}
        scene={<SceneNotFound />}
        title={text.heading}
        text={outcome ?? text.text}
        action={
          outcome ? (
            <>
              <ButtonLink to={href('/notifications')}>{text.notifications}</ButtonLink>
              <ButtonLink to={href('/saved')}>{all.nav.saved}</ButtonLink>
            </>
          ) : (
            <form method="post" action={href(`/unsubscribe?${posted}`)}>
              <button type="submit" className={buttonClass({ variant: 'primary' })}>
                {text.action}
              </button>
            </form>
          )
        }
      />
    </div>
  );
}
