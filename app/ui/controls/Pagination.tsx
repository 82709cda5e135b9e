import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Link } from 'react-router';
import { cx } from '../cx.ts';
import { buttonClass } from './button-class.ts';
import { pageNumbers } from './page-numbers.ts';

export interface PaginationProps {
  /** Starts at 1. */
  page: number;
  pages: number;
  /** Address of a page. */
  href: (page: number) => string;
  /** Accessible names of the navigation, of each page, of back and forward. */
  label: string;
  pageLabel: (page: number) => string;
  previousLabel: string;
  nextLabel: string;
  className?: string | undefined;
}

/** Pages as links, so they work before the script is loaded. Renders nothing when there is only one page. */
export function Pagination(props: PaginationProps) {
  const { page, pages, href, label, pageLabel, previousLabel, nextLabel, className } = props;
  if (pages <= 1) return null;
  return (
    <nav className={className} aria-label={label}>
      <ul className="flex flex-wrap items-center justify-center gap-1.5">
        <li>
          <Step to={page > 1 ? href(page - 1) : undefined} label={previousLabel} rel="prev">
            <ChevronLeft aria-hidden="true" />
          </Step>
        </li>
        {pageNumbers(page, pages).map((slot) => (
          <li key={slot}>
            {typeof slot === 'number' ? (
              <Link
                to={href(slot)}
                preventScrollReset
                aria-label={pageLabel(slot)}
                aria-current={slot === page ? 'page' : undefined}
                className={cx(
                  buttonClass({ variant: slot === page ? 'primary' : 'ghost', size: 'sm', icon: true }),
                  'figures',
                  pages > 5 && slot !== 1 && slot !== page && slot !== pages && 'max-xs:hidden',
                )}
              >
                {slot}
              </Link>
            ) : (
              <span className="grid h-10 w-6 place-items-center text-quiet" aria-hidden="true">
                …
              </span>
            )}
          </li>
        ))}
        <li>
          <Step to={page < pages ? href(page + 1) : undefined} label={nextLabel} rel="next">
            <ChevronRight aria-hidden="true" />
          </Step>
        </li>
      </ul>
    </nav>
  );
}

interface StepProps {
  to: string | undefined;
  label: string;
  rel: string;
  children: React.ReactNode;
}

function Step({ to, label, rel, children }: StepProps) {
  const linkClass = buttonClass({ variant: 'ghost', size: 'sm', icon: true });
  if (to === undefined) {
    return (
      <span className={cx(linkClass, 'opacity-40')} aria-hidden="true">
        {children}
      </span>
    );
  }
  return (
    <Link to={to} rel={rel} aria-label={label} className={linkClass} preventScrollReset>
      {children}
    </Link>
  );
}
