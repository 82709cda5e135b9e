import type { ContractRouterClient } from '@orpc/contract';
import { createContext } from 'react-router';
import type { contract } from '#contract/index.ts';

/** Scheme and host under which people reach the site, without a slash at the end. */
export const originContext = createContext<string>('');

/** Scheme and host from which browsers get images, without a slash at the end; empty for the site itself. */
export const assetsContext = createContext<string>('');

/** Whether every page says that this is a demo. */
export const demoContext = createContext<boolean>(false);

/** Seconds after which a page may be asked for again that is refused now; null for one that is not. */
export const refusalContext = createContext<number | null>(null);

/** What marks the inline scripts of one render as ours: random, and in no page that anybody sees. */
export const scriptMarkContext = createContext<string>('');

/** When an answer of the API was read that several pages share, in milliseconds; undefined for one that was read for this page. */
export const readAtContext = createContext<(answer: object) => number | undefined>(() => undefined);

/** The API as the server's own loaders call it: the same procedures, without HTTP, as a visitor. */
export const apiContext = createContext<ContractRouterClient<typeof contract>>();
