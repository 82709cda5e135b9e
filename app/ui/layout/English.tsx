import type { ReactNode } from 'react';

/** Text that is English in both languages of the site: screen readers use an English voice (WCAG 3.1.2). */
export const English = ({ id, children }: { id?: string; children: ReactNode }) => (
  <span id={id} lang="en">
    {children}
  </span>
);
