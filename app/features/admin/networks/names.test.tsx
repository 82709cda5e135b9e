import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { networksQuery, useNetworkNames } from './names.ts';

const rights = vi.hoisted(() => ({ may: true }));
vi.mock('../kit/rights.tsx', () => ({ useRights: () => ({ may: () => rights.may }) }));

type Networks = NonNullable<ReturnType<QueryClient['getQueryData']>>;

function Name({ of }: { of: string }) {
  return useNetworkNames()(of);
}
function nameOf(key: string, { may = true, names }: { may?: boolean; names?: [key: string, name: string][] } = {}) {
  rights.may = may;
  const queries = new QueryClient();
  if (names) {
    const rows = names.map(([key, name]) => ({ key, name }));
    queries.setQueryData<Networks>(networksQuery().queryKey, { rows, total: rows.length });
  }
  return renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <Name of={key} />
    </QueryClientProvider>,
  );
}

it('the key of a network is not shown while its name is loading', () => {
  expect(nameOf('bnb')).toBe('…');
  expect(nameOf('bnb', { names: [['bnb', 'BNB Chain']] })).toBe('BNB Chain');
});

it('a network that was deleted, or whose name the admin may not read, is shown by its key', () => {
  expect(nameOf('bnb', { names: [['solana', 'Solana']] })).toBe('bnb');
  expect(nameOf('bnb', { may: false })).toBe('bnb');
});
