// Loaded first in programs that tests start (tests/support/processes/programs.ts), on whatever Node runs them. Node reads the whole
// package.json of drizzle-orm, 180 KB of exports, again for each of hundreds of imports of it and in it: half of the time
// that one of our programs takes to load. Here each is resolved once, to what Node would answer.
import * as module from 'node:module';

/** @type {Map<string, import('node:module').ResolveFnOutput>} */
// Resolved once.
const resolved = new Map();

// Processes that tests kill would not store it.
setTimeout(() => module.flushCompileCache?.(), 2_000).unref();

module.registerHooks?.({
  resolve(specifier, context, next) {
    const { parentURL = '', conditions } = context;
    if (/^\.\.?\/.+\.js$/.test(specifier) && parentURL.includes('/node_modules/drizzle-orm/'))
      return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true };
    if (!/^drizzle-orm(\/|$)/.test(specifier)) return next(specifier, context);
    const key = `${specifier} ${conditions.join()}`;
    const known = resolved.get(key) ?? next(specifier, context);
    resolved.set(key, known);
    return { ...known, shortCircuit: true };
  },
});
