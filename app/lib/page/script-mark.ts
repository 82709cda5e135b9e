import { createContext } from 'react';

/** On the server, the mark that inline scripts of this render carry; undefined in browsers, where no page has it any more. */
export const ScriptMark = createContext<string | undefined>(undefined);
