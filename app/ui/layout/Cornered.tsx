import type { ReactNode } from 'react';

/** A card with an action in its upper right corner, above the link that covers the card. */
export function Cornered({ action, children }: { action: ReactNode; children: ReactNode }) {
  return (
    <div className="cornered">
      {children}
      <div className="corner-action">{action}</div>
    </div>
  );
}
