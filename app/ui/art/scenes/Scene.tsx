import type { ReactNode } from 'react';

/** The common ground of every scene. One file each, so that a page loads only the scenes that it may show. */
export function Scene({ children }: { children: ReactNode }) {
  return (
    <svg className="scene" viewBox="0 0 280 180" width="280" height="180" aria-hidden="true">
      <ellipse cx="140" cy="164" rx="124" ry="11" fill="var(--pen)" opacity="0.1" />
      {children}
    </svg>
  );
}
