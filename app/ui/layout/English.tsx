import type { ReactNode } from 'react';

/** Words that are English in both languages of the site: read aloud with an English voice (WCAG 3.1.2). */
export const English = ({ id, children }: { id?: string; children: ReactNode }) => (
  <span id={id} lang="en">
    {children}
  </span>
);
