import { describe, expect, it } from 'vitest';
import { adminProjectsTexts } from '#app/lib/messages/admin/projects.ts';
import { nextProjectForm } from '#contract/admin/forms/next-projects.ts';
import { projectForm } from '#contract/admin/forms/projects.ts';
import type { FormSchema } from '../kit/forms/form-schema.ts';
import { readForm } from '../kit/forms/form-schema.ts';
import { decimal, integer, TOKEN_READERS, tokenFieldMessages, tokenValues } from './token-values.ts';

const { fieldError, status, short } = adminProjectsTexts.es.projects;
const messages = tokenFieldMessages(fieldError, { invalid: 'image' });
const fine = { ...tokenValues(null), tokenName: 'Luna', tokenSymbol: 'LUN', tokenAddress: '0x1234567890' };
const reading = (schema: FormSchema, own: Record<string, string>, change: Record<string, string>) =>
  readForm(schema, { ...fine, status: 'pending', orderIndex: '0', ...own, ...change }, messages, 'otherwise', {
    ...TOKEN_READERS,
    price: decimal,
  });
/** The values of the two forms, with those specific to each. */
const project = (change: Record<string, string>) => reading(projectForm, { holdersCount: '' }, change);
const next = (change: Record<string, string>) =>
  readForm(
    nextProjectForm,
    {
      ...fine,
      status: 'pending',
      orderIndex: '0',
      isActive: true,
      launchDate: '',
      countdownEnd: '',
      price: '',
      ...change,
    },
    messages,
    'otherwise',
    { ...TOKEN_READERS, price: decimal },
  );

describe.each([
  ['a project', project],
  ['a NEXT project', next],
])('the form of %s', (_, read) => {
  const errorOf = (name: string, typed: string) => read({ [name]: typed }).errors[name];

  it('has a message for each error of a name and a symbol [A-PROJ-34..37] [A-NEXT-40] [A-NEXT-41]', () => {
    expect(errorOf('tokenName', '  ')).toBe('El nombre del token es requerido');
    expect(errorOf('tokenName', ' x ')).toBe('Mínimo 2 caracteres');
    expect(errorOf('tokenName', 'Luna')).toBeUndefined();
    expect(errorOf('tokenSymbol', ' ')).toBe('El símbolo del token es requerido');
    expect(errorOf('tokenSymbol', 'x'.repeat(11))).toBe('Máximo 10 caracteres');
    expect(errorOf('tokenSymbol', ' lun ')).toBeUndefined();
    expect(errorOf('tokenSymbol', '$LUN')).toBe('Solo letras y números, sin $ ni espacios');
    expect(fieldError.symbolShort).toBe('Mínimo 1 carácter');
    expect(fieldError.needed).toBe('Nombre del token, símbolo y dirección son campos obligatorios');
    expect([fieldError.addressNeeded, fieldError.addressShort]).toEqual([
      'La dirección del token es requerida',
      'Dirección muy corta',
    ]);
  });

  it('accepts a progress from 0 to 100 [A-PROJ-41..44] [A-NEXT-42]', () => {
    expect(errorOf('progressPercentage', '-1')).toBe('El progreso no puede ser menor a 0');
    expect(errorOf('progressPercentage', '101')).toBe('El progreso no puede ser mayor a 100');
    for (const typed of ['0', '100', '', 'abc']) expect(errorOf('progressPercentage', typed)).toBeUndefined();
    expect(fieldError.progress).toBe('El progreso debe estar entre 0 y 100');
    expect(read({ progressPercentage: '' }).input).toMatchObject({ progressPercentage: 0 });
  });

  it('accepts an order from 0 to 100000 [A-PROJ-52]', () => {
    expect([errorOf('orderIndex', '-1'), errorOf('orderIndex', '100001')]).toEqual([
      fieldError.order,
      fieldError.order,
    ]);
    expect(read({ orderIndex: '999' }).input).toMatchObject({ orderIndex: 999 });
  });

  it('sends the symbol in upper case, and null for empty fields [A-PROJ-38] [A-PROJ-48] [A-PROJ-49] [A-NEXT-43]', () => {
    const { input } = read({ tokenSymbol: ' lun', description: '  ', websiteUrl: '' });
    expect(input).toMatchObject({ tokenSymbol: 'LUN', description: null, websiteUrl: null, network: null });
  });

  it('accepts only http and https addresses as links, and adds a missing https:// [AMB-35]', () => {
    for (const bad of ['javascript:alert(1)', 'ftp://x.example', '@luna', 'https://'])
      expect(errorOf('websiteUrl', bad)).toBe(fieldError.link);
    // Without the scheme, as in the wizard and in submissions.
    expect(read({ websiteUrl: 'luna.example' }).input).toMatchObject({ websiteUrl: 'https://luna.example' });
    for (const typed of ['', 'https://x.example/a?b=c', 'http://x.example'])
      expect(errorOf('discordUrl', typed)).toBeUndefined();
  });
});

describe('the forms of projects', () => {
  it('read an order that is not a number as 0 [A-PROJ-52]', () => {
    expect(['', 'abc', '7.9', ' 12 '].map(integer)).toEqual([0, 0, 7, 12]);
  });

  it('have different defaults of the market cap, and null for empty fields', () => {
    expect(project({}).input).toMatchObject({ marketCap: '$0', holdersCount: null });
    expect(next({}).input).toMatchObject({ marketCap: 'TBD', launchDate: null, countdownEnd: null, price: 0 });
  });

  it('have a name for each status, and a short one for lists [A-PROJ-53..57]', () => {
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
