import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { ApiFailure } from '#app/lib/api/failure.ts';
import { LanguageProvider } from '#app/lib/i18n/i18n.tsx';
import { es } from '#app/lib/messages/es.ts';
import { type RecordAction, useRecordFailure } from './failures.ts';

/** The notice of a screen for an error of the server. */
function noticeOf(kind: 'projects' | 'next', action: RecordAction, error: unknown): { title: string; text: string } {
  let notice = { title: '', text: '' };
  function Screen() {
    notice = useRecordFailure(kind)(action)(error);
    return null;
  }
  renderToStaticMarkup(
    <LanguageProvider locale="es" text={es}>
      <Screen />
    </LanguageProvider>,
  );
  return notice;
}

const DENIED = 'Error de permisos de administrador. Intenta cerrar sesión y volver a iniciar sesión.';
const QUERY = 'Error de consulta de base de datos. Intenta nuevamente.';
const NOT_VALID = 'Los datos del proyecto no son válidos.';
const signedOut = new ApiFailure('UNAUTHORIZED', 401, null);
const forbidden = new ApiFailure('FORBIDDEN', 403, null);
const taken = new ApiFailure('DUPLICATE', 409, { fields: ['tokenAddress'] });
const refused = new ApiFailure('NOT_VALID', 422, null);
const gone = new ApiFailure('NOT_FOUND', 404, { what: 'project' });
const busy = new ApiFailure('BUSY', 503, null);
const broken = new ApiFailure('INTERNAL_SERVER_ERROR', 500, null);
/** An error code that is not in the contract. */
const odd = new ApiFailure('TEAPOT', 418, null);
const wrong = (...names: string[]) =>
  new ApiFailure('BAD_REQUEST', 400, { issues: names.map((name) => ({ path: [name] })) });

describe('the notice about a failed change of a project', () => {
  it.each([
    ['create', taken, 'Ya existe un proyecto con esa dirección de token.'],
    ['create', refused, NOT_VALID],
    ['create', forbidden, DENIED],
    ['create', signedOut, 'Debes iniciar sesión como administrador para crear proyectos.'],
    ['create', broken, 'No se pudo crear el proyecto.'],
    ['create', wrong('tokenSymbol'), 'Nombre del token, símbolo y dirección son campos obligatorios'],
    ['create', wrong('progressPercentage'), 'El progreso debe estar entre 0 y 100'],
    ['update', taken, 'Ya existe un proyecto con esa dirección de token.'],
    ['update', forbidden, 'No tienes permisos para actualizar proyectos. Verifica tu autenticación de administrador.'],
    ['update', signedOut, 'Usuario administrador no autenticado'],
    ['update', busy, QUERY],
    ['update', gone, QUERY],
    ['update', broken, QUERY],
    ['update', odd, 'No se pudo actualizar el proyecto.'],
    ['delete', forbidden, 'No tienes permisos para eliminar proyectos. Verifica tu autenticación de administrador.'],
    ['delete', busy, QUERY],
    ['delete', gone, 'El proyecto ya no existe o no se pudo encontrar.'],
    ['delete', broken, QUERY],
    ['delete', odd, 'No se pudo eliminar el proyecto.'],
  ] as const)('%s: %s → %s [ERR-57..74] [ERR-128] [A-PROJ-46] [A-PROJ-78]', (action, error, text) => {
    const title = { create: 'crear', update: 'actualizar', delete: 'eliminar' }[action];
    expect(noticeOf('projects', action, error)).toEqual({ title: `Error al ${title} proyecto`, text });
  });

  it('distinguishes the limit of the Top 3 from other refusals [ERR-76] [ERR-77] [AMB-173]', () => {
    const podium = (why: string) => new ApiFailure('PODIUM_REFUSED', 409, { why });
    const limit = {
      title: 'Límite alcanzado',
      text: 'Solo se pueden tener 3 proyectos en el Top 3. Desselecciona otro proyecto primero.',
    };
    expect(noticeOf('projects', 'top3', podium('full'))).toEqual(limit);
    expect(noticeOf('projects', 'update', podium('taken'))).toEqual(limit);
    expect(noticeOf('projects', 'top3', podium('status')).title).toBe('Error al actualizar Top 3');
    expect(noticeOf('projects', 'top3', forbidden)).toEqual({
      title: 'Error al actualizar Top 3',
      text: 'No tienes permisos para actualizar el Top 3. Verifica tu autenticación de administrador.',
    });
  });

  it.each([
    ['create', taken, 'Ya existe un proyecto con esa información.'],
    ['create', refused, NOT_VALID],
    ['create', forbidden, DENIED],
    ['create', signedOut, 'Debes iniciar sesión como administrador para crear proyectos NEXT.'],
    ['create', wrong('tokenName'), 'Nombre del token y símbolo son campos obligatorios'],
    ['create', broken, 'No se pudo crear el proyecto.'],
    ['update', forbidden, DENIED],
    ['update', signedOut, 'Debes iniciar sesión como administrador para actualizar proyectos NEXT.'],
    ['update', busy, QUERY],
    ['update', broken, QUERY],
    ['update', gone, QUERY],
    ['update', odd, 'No se pudo actualizar el proyecto.'],
    [
      'delete',
      forbidden,
      'No tienes permisos para eliminar proyectos NEXT. Verifica tu autenticación de administrador.',
    ],
    ['delete', busy, QUERY],
    ['delete', broken, QUERY],
    ['delete', gone, 'El proyecto NEXT ya no existe o no se pudo encontrar.'],
  ] as const)('NEXT %s: %s → %s [ERR-79..90] [A-NEXT-50] [AMB-111]', (action, error, text) => {
    const title = { create: 'crear', update: 'actualizar', delete: 'eliminar' }[action];
    expect(noticeOf('next', action, error)).toEqual({ title: `Error al ${title} proyecto`, text });
  });
});
