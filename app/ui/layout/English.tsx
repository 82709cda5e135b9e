import type { ReactNode } from 'react';

/** Words that are English in both languages of the site: read aloud with an English voice (WCAG 3.1.2). */
export const English = ({ children }: { children: ReactNode }) => <span lang="en">{children}</span>;
