import { fragment } from '../fragment.ts';
import { Drawn } from './Drawn.tsx';

/** The puppet with the crown in the crossing lights: the image of the hero. */
export const CrownedPuppet = fragment(({ className }: { className?: string | undefined }) => {
  return (
    <Drawn
      drawing={CROWNED_PUPPET}
      className={className}
      viewBox="0 0 360 320"
      width="360"
      height="320"
      overflow="visible"
      aria-hidden="true"
    />
  );
});

const CROWNED_PUPPET = { name: 'crowned-puppet' } as const;
