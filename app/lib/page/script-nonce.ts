import { createContext } from 'react';

/** On the server, the nonce of this render's inline scripts; undefined in browsers, where it has been removed. */
export const ScriptNonce = createContext<string | undefined>(undefined);
