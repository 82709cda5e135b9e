import { useText } from '#app/lib/i18n.tsx';
import { buildingTexts } from '#app/lib/messages/building.ts';
import { ButtonLink } from '#app/ui/Button.tsx';
import { EmptyState } from '#app/ui/EmptyState.tsx';
import { PageHead } from '#app/ui/Page.tsx';
import { SceneConstruction } from '#app/ui/scenes.tsx';

/** The back office is not open yet. */
export default function AdminBuilding() {
  const text = useText(buildingTexts);
  return (
    <div className="page pb-10">
      <title>{text.building.title}</title>
      <PageHead title={text.building.pages.admin} />
      <EmptyState
        scene={<SceneConstruction />}
        title={text.building.heading}
        text={text.building.text}
        action={
          <ButtonLink to="/" variant="primary">
            {text.building.action}
          </ButtonLink>
        }
      />
    </div>
  );
}
