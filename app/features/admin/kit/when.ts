export { ago } from '#app/lib/ago.ts';
export { exactly, when } from '#app/lib/format.ts';
