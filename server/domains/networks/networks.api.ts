import { open } from '#server/http/procedures.ts';
import { listNetworks } from './networks.service.ts';

export const networksApi = { list: open.networks.list.handler(({ context }) => listNetworks(context.db, context)) };
