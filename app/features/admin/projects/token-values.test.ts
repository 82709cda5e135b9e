import { describe, expect, it } from 'vitest';
import { adminProjectsTexts } from '#app/lib/messages/admin/projects.ts';
import { integer, orderFault, tokenInput, tokenRules, tokenValues } from './token-values.ts';

const { fault, status, short } = adminProjectsTexts.es.projects;
const rules = tokenRules(fault, { invalid: 'image' });

describe('the form of a project', () => {
  it('says what is wrong with a name and a symbol [A-PROJ-34..37] [A-NEXT-40] [A-NEXT-41]', () => {
    expect(rules.tokenName('  ')).toBe('El nombre del token es requerido');
    expect(rules.tokenName(' x ')).toBe('Mínimo 2 caracteres');
    expect(rules.tokenName('Luna')).toBe(false);
    expect(rules.tokenSymbol(' ')).toBe('El símbolo del token es requerido');
    expect(rules.tokenSymbol('x'.repeat(11))).toBe('Máximo 10 caracteres');
    expect(rules.tokenSymbol(' lun ')).toBe(false);
    expect(rules.tokenSymbol('$LUN')).toBe('Solo letras y números, sin $ ni espacios');
    expect(fault.symbolShort).toBe('Mínimo 1 carácter');
    expect(fault.needed).toBe('Nombre del token, símbolo y dirección son campos obligatorios');
    expect([fault.addressNeeded, fault.addressShort]).toEqual([
      'La dirección del token es requerida',
      'Dirección muy corta',
    ]);
  });

  it('takes a progress from 0 to 100 [A-PROJ-41..44] [A-NEXT-42]', () => {
    expect(rules.progressPercentage('-1')).toBe('El progreso no puede ser menor a 0');
    expect(rules.progressPercentage('101')).toBe('El progreso no puede ser mayor a 100');
    for (const fine of ['0', '100', '', 'abc']) expect(rules.progressPercentage(fine)).toBe(false);
    expect(fault.progress).toBe('El progreso debe estar entre 0 y 100');
    expect(tokenInput({ ...tokenValues(null), progressPercentage: '' }).progressPercentage).toBe(0);
  });

  it('reads an order that is no number as 0 [A-PROJ-52]', () => {
    expect(['', 'abc', '7.9', ' 12 '].map((typed) => integer(typed, 0))).toEqual([0, 0, 7, 12]);
    expect([orderFault('-1', fault), orderFault('100001', fault)]).toEqual([fault.order, fault.order]);
    expect(orderFault('999', fault)).toBe(false);
  });

  it('sends capitals for the symbol and null for what is empty [A-PROJ-38] [A-PROJ-48] [A-PROJ-49] [A-NEXT-43]', () => {
    const sent = tokenInput({ ...tokenValues(null), tokenSymbol: 'lun', description: '  ', websiteUrl: '' });
    expect(sent).toMatchObject({ tokenSymbol: 'LUN', description: null, websiteUrl: null, network: null });
  });

  it('takes only addresses of the web as links [AMB-35]', () => {
    for (const bad of ['javascript:alert(1)', 'ftp://x.example', 'x.example', 'https://x'])
      expect(rules.websiteUrl(bad)).toBe(fault.link);
    for (const fine of ['', 'https://x.example/a?b=c', 'http://x.example']) expect(rules.discordUrl(fine)).toBe(false);
  });

  it('has a name for each status, and a short one for lists [A-PROJ-53..57]', () => {
    expect(status).toEqual({
      pending: 'Pendiente',
      approved: 'Aprobado',
      rejected: 'Rechazado',
      published_home: 'Publicado en Home',
      published_next: 'Publicado en Next (Próximos)',
    });
    expect([short.published_home, short.published_next]).toEqual(['En Home', 'En Next']);
  });
});
