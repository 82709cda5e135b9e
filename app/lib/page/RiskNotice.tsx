import { TriangleAlert } from 'lucide-react';
import { Link } from 'react-router';
import { cx } from '#app/ui/cx.ts';
import { useHref, useText } from '../i18n/i18n.tsx';
import { riskTexts } from '../messages/risk.ts';

/** The risk warning before payments; links to the full text. `newTab` where the link would leave a form. */
export function RiskNotice({ className, newTab }: { className?: string; newTab?: boolean }) {
  const text = useText(riskTexts);
  const href = useHref();
  return (
    <aside
      aria-label={text.risk.label}
      className={cx(
        'flex items-start gap-3 rounded-card border border-edge bg-panel px-4 py-3 text-[0.9375rem]',
        className,
      )}
    >
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-5 flex-none text-coral-text" />
      <p>
        {text.risk.text}{' '}
        <Link to={href('/risk')} className="link" {...(newTab ? { target: '_blank', rel: 'noopener' } : {})}>
          {text.risk.more}
          {newTab ? <span className="visually-hidden"> ({text.shared.newTab})</span> : null}
        </Link>
      </p>
    </aside>
  );
}
