import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { LanguageProvider } from '#app/lib/i18n/i18n.tsx';
import { adminPeopleTexts } from '#app/lib/messages/admin/people.ts';
import { adminTokenTexts } from '#app/lib/messages/admin/token-creation.ts';
import { es } from '#app/lib/messages/es.ts';
import type { AdminNextProject } from '#contract/admin/next-projects.ts';
import type { TokenCreation } from '#contract/admin/token-creation.ts';
import { NextBadges } from './next-projects/NextDetails.tsx';
import { ROLE_TONE } from './people/useActions.tsx';
import { type Indicator, indicatorOf } from './token-creation/CreationPart.tsx';

const drawn = (node: ReactNode) =>
  renderToStaticMarkup(
    <LanguageProvider locale="es" text={es}>
      {node}
    </LanguageProvider>,
  );
/** The text of each badge with its tone. */
const badges = (html: string) =>
  [...html.matchAll(/<span class="badge( badge-\w+)?">(.*?)<\/span>/g)].map(([, tone, content = '']) => [
    content.replace(/<[^>]*>/g, ''),
    tone?.trim() ?? '',
  ]);
const next = (over: Partial<AdminNextProject>) => ({ orderIndex: 0, isActive: true, ...over }) as AdminNextProject;

describe('badges of the back office', () => {
  it.each<[AdminNextProject['status'], string, string]>([
    // Yellow, green and blue of the palette.
    ['pending', 'Pendiente', 'badge-lead'],
    ['published', 'Publicado', 'badge-mint'],
    ['launched', 'Lanzado', 'badge-sky'],
  ])('show a NEXT project with status %s as “%s” [A-NEXT-08] [A-NEXT-34..36]', (status, messages, tone) => {
    expect(badges(drawn(<NextBadges project={next({ status })} />))).toEqual([[messages, tone]]);
  });

  it('mark a NEXT project that won, is featured, is in the Top 3 or is inactive [A-NEXT-09] [A-NEXT-39]', () => {
    const messages = (over: Partial<AdminNextProject>) =>
      badges(drawn(<NextBadges project={next({ status: 'published', ...over })} />))
        .slice(1)
        .map(([name]) => name);
    expect(messages({ isVotingWinner: true, isFeatured: true, orderIndex: 2 })).toEqual([
      'Ganador',
      'Destacado',
      'Top 2',
    ]);
    expect([0, 1, 3, 4].map((orderIndex) => messages({ orderIndex }))).toEqual([[], ['Top 1'], ['Top 3'], []]);
    expect(messages({ isActive: false })).toHaveLength(1);
  });

  it('show roles in red, blue and grey, with the name of the role [A-ROLE-09] [A-ROLE-29] [A-ROLE-30]', () => {
    expect(ROLE_TONE).toEqual({ admin: 'coral', moderator: 'sky', user: 'neutral' });
    expect(adminPeopleTexts.es.people.roles).toEqual({
      user: 'Usuario',
      moderator: 'Moderador',
      admin: 'Administrador',
    });
  });

  it('show a creation as idle, processing, completed or in error [A-TOKEN-22] [A-TOKEN-23]', () => {
    const of = (state: TokenCreation['state']) => indicatorOf({ state } as TokenCreation);
    expect(indicatorOf(null)).toBe('idle');
    const states = (['queued', 'working', 'completed', 'held', 'failed'] as const).map(of);
    expect(states).toEqual(['processing', 'processing', 'completed', 'error', 'error']);
    const messages: Record<Indicator, string> = adminTokenTexts.es.tokenAdmin.create.states;
    expect(messages).toEqual({ idle: 'Listo', processing: 'Procesando', completed: 'Completado', error: 'Error' });
  });

  it('have a text for each of the three statuses of a token request, and for a paid, pending or failed payment [A-TOKEN-08] [A-TOKEN-09] [A-TOKEN-27] [A-TOKEN-28] [AMB-190]', () => {
    const { status, stages } = adminTokenTexts.es.tokenAdmin;
    expect(status).toEqual({ completed: 'Completado', pending_payment: 'Pago pendiente', incomplete: 'Incompleto' });
    expect(stages).toMatchObject({ paid: 'Pagado', pending: 'Pendiente', failed: 'Fallido' });
  });
});
