import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { meQuery } from '#app/features/auth/auth.queries.ts';
import { OrderView } from '#app/features/token-requests/order/OrderView.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { ordersTexts } from '#app/lib/messages/orders.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { PageHead } from '#app/ui/layout/Page.tsx';

/** The private page of an order; its link comes by mail and from the wizard. */
export default function OrderPage() {
  const text = useText(ordersTexts);
  const { id = '' } = useParams();
  const { data: me, isError, refetch } = useQuery(meQuery());
  const memberId = me === undefined ? undefined : (me?.id ?? null);
  return (
    <div className="page pb-12">
      <Seo title={text.orders.title} hidden />
      <meta name="referrer" content="no-referrer" />
      <meta name="robots" content="noindex" />
      <PageHead title={text.orders.heading} lead={text.orders.lead} className="print:hidden" />
      <OrderView key={id} id={id} session={{ memberId, failed: isError, retry: () => void refetch() }} />
    </div>
  );
}
