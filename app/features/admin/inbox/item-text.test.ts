import { describe, expect, it } from 'vitest';
import { es } from '#app/lib/messages/es.ts';
import { detailsOf, ITEM_TEXTS, titleOf } from './item-text.ts';

const text = Object.assign({}, es, ...ITEM_TEXTS.map((texts) => texts.es));
const textOf = (source: Parameters<typeof detailsOf>[0]['source'], details: string[]) =>
  detailsOf({ source, details }, { text, locale: 'es', networkName: (key) => key });

describe('texts of the inbox', () => {
  it('state each problem of a payment once', () => {
    expect(textOf('payment', ['partially_paid', 'partially_paid'])).toBe(
      'Falta una parte: espera el resto, acéptalo o devuélvelo',
    );
    expect(textOf('payment', ['under_review', 'superseded', 'late'])).toBe(
      'En revisión · Pagado después de cambiar de plan · Llegó fuera de plazo',
    );
  });

  it('name coin and network of unplaced money, with the amount in the number format of the page', () => {
    expect(textOf('unplaced', ['0.00666667', 'usdttrc20'])).toBe('0,00666667 USDT en la red Tron');
    expect(textOf('unplaced', ['12'])).toBe('12');
  });

  it('name the kind of a reported text, the number of reports and the reason, and have nothing for own_text', () => {
    expect(textOf('report', ['post', '2', 'scam', 'author_deleted', 'own_text'])).toBe(
      'post · 2 denuncias · Estafa · ya lo borró su autor',
    );
  });

  it('have a title for held votes that are not limited to one candidate', () => {
    expect(titleOf({ source: 'vote_cluster', title: '' }, text)).toBe('Cualquier candidato');
    expect(titleOf({ source: 'vote_cluster', title: 'Luna' }, text)).toBe('Luna');
  });

  it('state what differs between the money ledger and the provider, with the coin and the amount on each side', () => {
    expect(textOf('settlement', ['missing_here', 'usdttrc20', '-', '0.5'])).toBe(
      'Está en el proveedor y no en el libro · Proveedor: 0,5 USDT en la red Tron',
    );
    expect(textOf('settlement', ['amount', 'eth', '3000', '2999'])).toBe(
      'Otro importe recibido · Libro de dinero: 3.000 ETH en la red Ethereum · Proveedor: 2.999 ETH en la red Ethereum',
    );
    // What was credited may be in another coin on each side.
    expect(textOf('settlement', ['outcome', 'eth', '2 usdttrc20', '0.1 eth'])).toBe(
      'Otro importe abonado · Libro de dinero: 2 USDT en la red Tron · Proveedor: 0,1 ETH en la red Ethereum',
    );
  });

  it('translate items, plans, reasons and the state of a refund', () => {
    expect(textOf('deliverable', ['liquidityPool', 'standard'])).toBe('Pool de liquidez inicial · Estándar');
    expect(textOf('report', ['comment', '2', 'scam'])).toBe('comentario · 2 denuncias · Estafa');
    expect(textOf('report', ['post', '1', 'spam', 'author_deleted'])).toBe(
      'post · 1 denuncia · Spam · ya lo borró su autor',
    );
    expect(textOf('refund', ['ready', 'FL-0123456789'])).toBe('FL-0123456789');
    expect(textOf('refund', ['halted', 'FL-0123456789'])).toBe(
      'No enviar: el proveedor devolvió dinero mientras se pagaba · FL-0123456789',
    );
  });
});
