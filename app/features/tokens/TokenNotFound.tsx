import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { tokenTexts } from '#app/lib/messages/token.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { SceneNotFound } from '#app/ui/art/scenes/SceneNotFound.tsx';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';

/** No public token has this address, or it could not be read. */
export function TokenNotFound() {
  const text = useText(tokenTexts);
  const href = useHref();
  return (
    <div className="page py-10">
      <Seo title={`${text.token.notFoundTitle} · ${text.brand.name}`} hidden />
      <EmptyState
        level={1}
        scene={<SceneNotFound />}
        title={text.token.notFoundTitle}
        text={text.token.notFoundText}
        action={
          <ButtonLink to={href('/vote')} variant="primary">
            {text.token.notFoundAction}
          </ButtonLink>
        }
      />
    </div>
  );
}
