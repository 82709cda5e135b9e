import { open } from '#server/http/api/procedures.ts';
import { listNetworks } from './networks.service.ts';

export const networksApi = { list: open.networks.list.handler(({ context }) => listNetworks(context.db, context)) };
