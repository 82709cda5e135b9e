import { describe, expect, it } from 'vitest';
import { adminTokenTexts } from '#app/lib/messages/admin/token-creation.ts';
import type { AdminTokenRequestRow } from '#contract/admin/token-requests.ts';
import { providerStatus } from '#contract/domains/payments.ts';
import { paymentTone, paymentWord, providerWord } from './money.ts';

const { tokenAdmin } = adminTokenTexts.es;
type Money = Pick<AdminTokenRequestRow, 'paymentStatus' | 'paymentState'>;

describe('how the payment of a request stands', () => {
  it.each<[Money['paymentStatus'], Money['paymentState'], string, string]>([
    ['pending', null, 'Pendiente', 'neutral'],
    ['pending', 'awaiting', 'Pendiente', 'neutral'],
    ['pending', 'partially_paid', 'Pago parcial', 'coral'],
    ['completed', 'paid', 'Pagado', 'mint'],
    ['completed', 'overpaid', 'Pagado', 'mint'],
    ['failed', 'failed', 'Fallido', 'coral'],
    // Neither failed: the money went back, or nobody sent any.
    ['failed', 'refunded', 'Reembolsado', 'neutral'],
    ['failed', 'expired', 'Vencido', 'neutral'],
  ])('%s, of which the order is %s: %s', (paymentStatus, paymentState, word, tone) => {
    const row = { paymentStatus, paymentState, acceptedAt: null } as AdminTokenRequestRow;
    expect([paymentWord(row, tokenAdmin), paymentTone(row)]).toEqual([word, tone]);
  });

  it('of what somebody took for enough, unless it went back', () => {
    const row = { paymentStatus: 'completed', paymentState: 'paid', acceptedAt: '2026-01-01T00:00:00Z' };
    expect(paymentWord(row as AdminTokenRequestRow, tokenAdmin)).toBe('Aceptado');
    const back = { ...row, paymentStatus: 'failed', paymentState: 'refunded' };
    expect(paymentWord(back as AdminTokenRequestRow, tokenAdmin)).toBe('Reembolsado');
  });
});

describe('what the provider says of a deposit', () => {
  it('is said in the page’s language; a word that nobody knows stays as it is', () => {
    expect(providerStatus.options.map((status) => providerWord(status, tokenAdmin))).toEqual([
      'Esperando',
      'Confirmando',
      'Confirmado',
      'Casi listo',
      'Parcial',
      'Completo',
      'Fallido',
      'Devuelto',
      'Vencido',
      'Un estado que no conocemos',
    ]);
    expect(providerWord('on_hold', tokenAdmin)).toBe('on_hold');
  });
});
