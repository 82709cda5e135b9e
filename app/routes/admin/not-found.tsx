import { data, type LoaderFunctionArgs } from 'react-router';
import { apiContext } from '#app/context.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { errorScreen } from '#app/lib/messages/error-screen.ts';
import { SceneNotFound } from '#app/ui/art/scenes/SceneNotFound.tsx';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { English } from '#app/ui/layout/English.tsx';

/** No screen has this address; users without access to the back office are refused as everywhere here. */
export async function loader({ context }: LoaderFunctionArgs) {
  const admitted = await context
    .get(apiContext)
    .admin.session()
    .then(
      () => true,
      () => false,
    );
  return data(null, { status: admitted ? 404 : 403 });
}
/** During navigation within the app no request is needed. */
export const clientLoader = () => null;

/** The specified error screen, in the frame of the back office. */
export default function AdminNotFound() {
  const text = useText(adminTexts);
  const messages = errorScreen[useLocale()];
  const href = useHref();
  return (
    <>
      <title>{text.admin.title('404')}</title>
      <EmptyState
        className="m-auto"
        level={1}
        role="alert"
        scene={<SceneNotFound />}
        title={<English>{messages.title}</English>}
        text={`404 · ${messages.notFound}`}
        action={
          <ButtonLink to={href('/admin')} variant="primary">
            {text.admin.list.back}
          </ButtonLink>
        }
      />
    </>
  );
}
