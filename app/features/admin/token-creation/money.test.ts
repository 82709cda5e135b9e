import { describe, expect, it } from 'vitest';
import { adminTokenTexts } from '#app/lib/messages/admin/token-creation.ts';
import { providerStatus } from '#contract/domains/payments.ts';
import { providerStatusText } from './money.ts';

const { tokenAdmin } = adminTokenTexts.es;

describe('the status of a deposit at the provider', () => {
  it('is translated; an unrecognised status is shown unchanged', () => {
    expect(providerStatus.options.map((status) => providerStatusText(status, tokenAdmin))).toEqual([
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
    expect(providerStatusText('on_hold', tokenAdmin)).toBe('on_hold');
  });
});
