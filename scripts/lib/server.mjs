/**
 * How the server is run: arguments for Node and more environment. The single pair of arenas saves memory at rest (bench,
 * figure p), and so does the code that the process before compiled: compiling the bundle takes 30 MB, most of which is not
 * returned to the system. It is stored when a process ends, where the folder can be written, and removed by the next build. A young
 * generation of 4 MB made votes a tenth dearer; what the start makes this one grow to is given back (server/lib/process/shrink-heap.ts).
 * The heap grows by 40 % between two collections, and not to several times what is in use: under a mixed load that is a third of the memory
 * (bench, figure v).
 */
export const SERVER_ARGS = ['--max-semi-space-size=16', '--heap-growing-percent=40', 'build/server/index.js'];
export const SERVER_ENV = {
  MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? 'build/server/compile-cache',
};
