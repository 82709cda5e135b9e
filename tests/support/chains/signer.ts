// A signer as an operator runs it: a separate process with its own variables.
import { spawn } from 'node:child_process';
import { bareEnv } from '#tests/support/processes/programs.ts';

/** @param env its variables; of this process's it gets only PATH and those that speed up loading. */
export function startSigner(env: Record<string, string>) {
  const child = spawn(process.execPath, ['server/signer/main.ts'], {
    env: { ...bareEnv(), NODE_ENV: 'test', LOG_LEVEL: 'debug', ...env } as never,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let onOutput = () => {};
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += String(text);
      onOutput();
    });
  const ended = new Promise<string>((resolve) => {
    child.once('close', (code, signal) => {
      onOutput();
      resolve(signal ?? String(code));
    });
  });
  return {
    pid: child.pid ?? 0,
    /** The signal that ended it, or its code. */
    ended,
    output: () => output,
    /** Waits for that line. */
    async says(words: string | RegExp): Promise<void> {
      const has = () => (typeof words === 'string' ? output.includes(words) : words.test(output));
      while (!has()) {
        if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the signer ended: ${output}`);
        await new Promise<void>((resolve) => {
          onOutput = resolve;
        });
      }
    },
    /** No effect after it has ended. */
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    stop: async () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
export type Signer = ReturnType<typeof startSigner>;
