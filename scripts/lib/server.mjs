/**
 * How the server is run: arguments for Node and more environment. The small young generation and the single pair of
 * arenas save a quarter of its memory at rest, which the start alone would otherwise keep for good (bench, figure p).
 */
export const SERVER_ARGS = ['--max-semi-space-size=4', 'build/server/index.js'];
export const SERVER_ENV = { MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2' };
