import type { ContractRouterClient } from '@orpc/contract';
import { createContext } from 'react-router';
import type { contract } from '#contract/index.ts';

/** Public origin of the site, without a slash at the end. */
export const originContext = createContext<string>('');

/** Origin from which browsers load images, without a slash at the end; empty for the site itself. */
export const assetsContext = createContext<string>('');

/** True when every page shows that this is a demo. */
export const demoContext = createContext<boolean>(false);

/** Seconds after which a refused page may be requested again; null for a page that is not refused. */
export const refusalContext = createContext<number | null>(null);

/** Nonce of the inline scripts of one render: random, and removed before the page is sent. */
export const scriptNonceContext = createContext<string>('');

/**
 * Receives a rendered document, one character per byte (latin1). Its response then has no body: reading it from there would copy it
 * twice more.
 */
export const documentContext = createContext<((html: string) => void) | null>(null);

/** True for a document in production that is the same for every visitor: its fragments are cached (app/ui/fragment.ts). */
export const fragmentsContext = createContext<boolean>(false);

/** Read time in milliseconds of an API result that several pages share; undefined for one that was read for this page. */
export const readAtContext = createContext<(answer: object) => number | undefined>(() => undefined);

/** The API for the server's own loaders: the same procedures, without HTTP, as a visitor. */
export const apiContext = createContext<ContractRouterClient<typeof contract>>();
