/**
 * Network of a payment `p` in the money ledger, that of its first posting, because its payer may choose another one later. The chosen one
 * while nothing is posted; empty when there is none.
 *
 * @param request name of its request's table in the query.
 */
export const networkOfOrder = (request: string): string => `coalesce((select x.network from money_transactions x
    where x.payment_id = p.id order by x.id limit 1), ${request}.selected_network, '')`;
