import { SceneNotFound } from '#app/ui/art/scenes/SceneNotFound.tsx';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { Seo } from './Seo.tsx';

interface InvalidAddressProps {
  /** Title of the document. */
  title: string;
  heading: string;
  text: string;
  link: { to: string; label: string };
}

/** A full page for a private address that is not valid (any more): explanation and a link. */
export function InvalidAddress({ title, heading, text, link }: InvalidAddressProps) {
  return (
    <div className="py-10">
      <Seo title={title} hidden />
      <EmptyState
        level={1}
        scene={<SceneNotFound />}
        title={heading}
        text={text}
        action={<ButtonLink to={link.to}>{link.label}</ButtonLink>}
      />
    </div>
  );
}
