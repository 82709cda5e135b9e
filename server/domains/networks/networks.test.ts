import { expect, it } from 'vitest';
import { startTestApp } from '#tests/support/test-app.ts';

const app = await startTestApp();

it('lists the active networks, oldest first, to everybody [NET-01] [NET-03] [DATA-38] [AMB-192]', async () => {
  const list = () => app.as().networks.list();
  expect((await list()).map(({ name, symbol }) => [name, symbol])).toEqual([
    ['Solana', 'SOL'],
    ['Ethereum', 'ETH'],
    ['BNB Chain', 'BNB'],
    ['Polygon', 'POL'],
  ]);
  await app.sql(`update blockchain_networks set is_active = false where key = 'ethereum'`);
  await app.sql(`update blockchain_networks set deleted_at = now() where key = 'bnb'`);
  await app.sql(
    `insert into blockchain_networks (key, name, symbol, created_at) values ('base', 'Base', 'B', '2025-01-01')`,
  );
  const left = await list();
  expect(left.map(({ key }) => key)).toEqual(['base', 'solana', 'polygon']);
  expect(Object.keys(left[0] ?? {}).sort()).toEqual(['createdAt', 'id', 'isActive', 'key', 'name', 'symbol']);
});
