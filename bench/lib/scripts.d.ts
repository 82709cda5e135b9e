/** The parts of scripts/lib that the benchmark uses; they are JavaScript, for they run before anything is installed. */
declare module '*/scripts/lib/bootstrap.mjs' {
  export function ensureBuilt(): Promise<void>;
}
declare module '*/scripts/lib/browser.mjs' {
  export function findOrInstallChromium(): Promise<string>;
}
declare module '*/scripts/lib/server.mjs' {
  export const SERVER_ARGS: string[];
  export const SERVER_ENV: Record<string, string>;
}
