import { SceneLostTicket } from '#app/ui/art/scenes/SceneLostTicket.tsx';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { Seo } from './Seo.tsx';

interface NothingHereProps {
  /** Of the document. */
  title: string;
  heading: string;
  text: string;
  link: { to: string; label: string };
}

/** The whole page at a private address that leads nowhere (any more): what that means, and a way on. */
export function NothingHere({ title, heading, text, link }: NothingHereProps) {
  return (
    <div className="py-10">
      <Seo title={title} hidden />
      <EmptyState
        level={1}
        scene={<SceneLostTicket />}
        title={heading}
        text={text}
        action={<ButtonLink to={link.to}>{link.label}</ButtonLink>}
      />
    </div>
  );
}
