import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { describe, expect, it } from 'vitest';
import { rpc } from '#app/lib/api/rpc.ts';
import { LanguageProvider } from '#app/lib/i18n/i18n.tsx';
import { es } from '#app/lib/messages/es.ts';
import type { AdminNextProject } from '#contract/admin/next-projects.ts';
import type { RoleRow } from '#contract/admin/roles.ts';
import type { TokenCreation } from '#contract/admin/token-creation.ts';
import type { AdminTokenRequestRow } from '#contract/admin/token-requests.ts';
import { useAdminList } from './kit/list/useAdminList.ts';
import { NextBadges } from './next-projects/NextDetails.tsx';
import { RoleList } from './roles/RoleList.tsx';
import { Creation } from './token-creation/CreationForm.tsx';
import { CreationPart } from './token-creation/CreationPart.tsx';
import { RequestsPanel } from './token-creation/RequestsPanel.tsx';

const drawn = (node: ReactNode, queries = new QueryClient()) =>
  renderToStaticMarkup(
    <MemoryRouter>
      <QueryClientProvider client={queries}>
        <LanguageProvider locale="es" text={es}>
          {node}
        </LanguageProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  );
/** The text of each badge with its tone. */
const badges = (html: string) =>
  [...html.matchAll(/<span class="badge( badge-\w+)?">(.*?)<\/span>/g)].map(([, tone, content = '']) => [
    content.replace(/<[^>]*>/g, ''),
    tone?.trim() ?? '',
  ]);
const next = (over: Partial<AdminNextProject>) => ({ orderIndex: 0, isActive: true, ...over }) as AdminNextProject;

const AT = '2026-03-01T12:00:00.000Z';
const ignored = () => {};
/** The input of a list that is opened without parameters. */
const FIRST_PAGE = { input: { sort: '-createdAt', page: 1 } } as const;

function Roles() {
  const list = useAdminList({ procedure: rpc.admin.roles.list, csv: 'roles', sort: '-createdAt' });
  return <RoleList list={list} />;
}
const roleRow = (over: Partial<RoleRow>) =>
  ({ username: null, walletAddress: null, staffRoles: [], assignedAt: null, ...over }) as RoleRow;
const requestRow = (over: Partial<AdminTokenRequestRow>) =>
  ({
    plan: 'entry',
    tokenName: 'Luna',
    priceUsd: 50,
    priceSol: null,
    orderedUsd: null,
    createdAt: AT,
    ...over,
  }) as AdminTokenRequestRow;
const creation = (over: Partial<TokenCreation>) =>
  ({
    network: 'solana',
    stage: 'checking',
    tokenName: 'Luna',
    tokenSymbol: 'LUN',
    snapshotHash: '00',
    attempts: [],
    readings: [],
    orderedAt: AT,
    ...over,
  }) as TokenCreation;

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
    const roles = ['admin', 'moderator', 'user'] as const;
    const rows = roles.map((role) => roleRow({ id: role, email: `${role}@florka.test`, role }));
    const queries = new QueryClient();
    queries.setQueryData(rpc.admin.roles.list.queryKey(FIRST_PAGE), { rows, total: rows.length });
    expect(badges(drawn(<Roles />, queries))).toEqual([
      ['Administrador', 'badge-coral'],
      ['Moderador', 'badge-sky'],
      ['Usuario', ''],
    ]);
  });

  it('show a creation as idle, processing, completed or in error [A-TOKEN-22] [A-TOKEN-23]', () => {
    expect(badges(drawn(<Creation from={null} onView={ignored} onPrefill={ignored} />))).toEqual([['Listo', '']]);
    const of = (state: TokenCreation['state']) => badges(drawn(<CreationPart creation={creation({ state })} />));
    for (const state of ['queued', 'working'] as const) expect(of(state), state).toEqual([['Procesando', 'badge-sky']]);
    expect(of('completed')).toEqual([['Completado', 'badge-mint']]);
    for (const state of ['held', 'failed'] as const) expect(of(state), state).toEqual([['Error', 'badge-coral']]);
  });

  it('show the status of a token request, and its payment as paid, pending or failed [A-TOKEN-08] [A-TOKEN-09] [A-TOKEN-27] [A-TOKEN-28] [AMB-190]', () => {
    const rows = [
      requestRow({ id: '1', status: 'completed', paymentStage: 'paid' }),
      requestRow({ id: '2', status: 'pending_payment', paymentStage: 'pending' }),
      requestRow({ id: '3', status: 'incomplete', paymentStage: 'failed' }),
    ];
    const queries = new QueryClient();
    queries.setQueryData(rpc.admin.tokenRequests.list.queryKey(FIRST_PAGE), { rows, total: rows.length });
    expect(badges(drawn(<RequestsPanel onView={ignored} />, queries))).toEqual([
      ['Completado', 'badge-mint'],
      ['Pagado', 'badge-mint'],
      ['Pago pendiente', 'badge-lead'],
      ['Pendiente', ''],
      ['Incompleto', ''],
      ['Fallido', 'badge-coral'],
    ]);
  });
});
