import { Link } from 'react-router';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { deliverablesTexts } from '#app/lib/messages/deliverables.ts';

/** The refund policy for items that are not delivered: shown before the payment and in the receipt. */
export function RefundPolicy({ className = '' }: { className?: string }) {
  const messages = useText(deliverablesTexts).refundPolicy;
  const href = useHref();
  return (
    <div className={`text-sm text-quiet ${className}`}>
      <p className="font-semibold">{messages.heading}</p>
      <ul className="mt-1 grid list-disc gap-1 pl-5">
        {messages.points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      <p className="mt-1 print:hidden">
        <Link to={href('/terms')} className="link">
          {messages.terms}
        </Link>
      </p>
    </div>
  );
}
