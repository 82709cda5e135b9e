import type { ReactNode } from 'react';

/** One section of the page. */
export function PersonSection({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <section className="admin-panel grid min-w-0 grid-cols-1 gap-3" aria-label={title}>
      <header>
        <h2 className="text-lg">{title}</h2>
        {hint ? <p className="text-sm text-quiet">{hint}</p> : null}
      </header>
      {children}
    </section>
  );
}
