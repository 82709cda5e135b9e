import { useLocation } from 'react-router';
import { useHref, useText } from '#app/lib/i18n.tsx';
import { buildingTexts } from '#app/lib/messages/building.ts';
import { Seo } from '#app/lib/Seo.tsx';
import { ButtonLink } from '#app/ui/Button.tsx';
import { EmptyState } from '#app/ui/EmptyState.tsx';
import { PageHead } from '#app/ui/Page.tsx';
import { SceneConstruction } from '#app/ui/scenes.tsx';

type Page = 'create' | 'news' | 'forum' | 'next' | 'publish';

/** Says honestly that a section is not open yet. */
export default function BuildingPage() {
  const text = useText(buildingTexts);
  const href = useHref();
  const page = useLocation().pathname.split('/').filter(Boolean).at(-1) as Page;
  return (
    <div className="page pb-10">
      <Seo title={text.building.title} />
      <PageHead title={text.building.pages[page]} />
      <EmptyState
        scene={<SceneConstruction />}
        title={text.building.heading}
        text={text.building.text}
        action={
          <ButtonLink to={href('/')} variant="primary">
            {text.building.action}
          </ButtonLink>
        }
      />
    </div>
  );
}
