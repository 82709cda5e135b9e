// The payment emulator as a program. The server starts it as a child process when there is no payment provider and the
// demo is on; it ends with its parent.
import { startEmulator } from './emulator.ts';

const { env } = process;
// Signals of a terminal or service manager also reach the parent, which may still need the emulator and closes the
// channel itself.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    if (!process.connected) process.exit(0);
  });
process.once('disconnect', () => process.exit(0));
if (env['NOWPAYMENTS_API_KEY'] || env['DEMO'] !== 'on') {
  console.error('The payment simulation runs only with DEMO=on and without NOWPAYMENTS_API_KEY.');
  process.exit(1);
}
const apiKey = env['EMULATOR_API_KEY'];
const ipnSecret = env['EMULATOR_IPN_SECRET'];
const pageBase = env['EMULATOR_PAGE_BASE'];
if (!apiKey || !ipnSecret || !pageBase) {
  console.error('EMULATOR_API_KEY, EMULATOR_IPN_SECRET and EMULATOR_PAGE_BASE are needed.');
  process.exit(1);
}
const emulator = await startEmulator({
  apiKey,
  ipnSecret,
  pageBase,
  file: env['EMULATOR_FILE'],
  port: Number(env['EMULATOR_PORT'] ?? 0),
  pace: Number(env['EMULATOR_PACE'] ?? 1_500),
});
// The channel may have closed during the start, which `connected` does not always show yet.
if (process.send && !process.connected) process.exit(0);
process.send?.({ origin: emulator.origin }, (error: Error | null) => {
  if (error) process.exit(0);
});
