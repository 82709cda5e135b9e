import { fragment } from '../fragment.ts';
import { Drawn } from './Drawn.tsx';

/** The fair on the horizon: wheel, tents and strings of lights. Decoration of the hero and of the card with a form. */
export const Skyline = fragment(({ className }: { className?: string | undefined }) => {
  return <Drawn drawing={SKYLINE} className={className} viewBox="0 0 1440 260" aria-hidden="true" />;
});

const SKYLINE = { name: 'skyline' } as const;

/** Stars by night; nothing by day. Fills its positioned parent. */
export const Stars = fragment(() => {
  return (
    <Drawn
      drawing={STARS}
      className="hero-sky"
      aria-hidden="true"
      preserveAspectRatio="xMidYMin slice"
      viewBox="0 0 1200 500"
    />
  );
});

const STARS = { name: 'stars' } as const;
