// A stub for server/domains/media/image-worker.ts that hangs or ends when an image requires it.
process.on('message', ({ bytes }: { bytes: Uint8Array }) => {
  const input = Buffer.from(bytes).toString();
  // Blocks its only thread, as a decoder that never returns does.
  if (input === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  if (input === 'crash') process.kill(process.pid, 'SIGSEGV');
  process.send?.({ encoded: { width: process.pid, height: 1, frames: 1, variants: [] } });
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
