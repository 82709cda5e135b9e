import { useLocation } from 'react-router';
import { AdminScreen } from '#app/features/admin/kit/AdminScreen.tsx';
import { NAVIGATION } from '#app/features/admin/navigation.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { buildingTexts } from '#app/lib/messages/building.ts';
import { SceneConstruction } from '#app/ui/art/scenes/SceneConstruction.tsx';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';

const SCREENS = NAVIGATION.flatMap(({ screens }) => [...screens]);

/** A screen that is not there yet. */
export default function AdminBuilding() {
  const text = useText(adminTexts, buildingTexts);
  const href = useHref();
  const { pathname } = useLocation();
  const screen = SCREENS.find(({ path }) => href(path) === pathname);
  return (
    <AdminScreen title={screen ? text.admin.screens[screen.name] : text.building.heading}>
      <EmptyState
        scene={<SceneConstruction />}
        title={text.building.heading}
        text={text.building.text}
        action={
          <ButtonLink to={href('/admin')} variant="primary">
            {text.admin.list.back}
          </ButtonLink>
        }
      />
    </AdminScreen>
  );
}
