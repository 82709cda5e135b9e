import { StartError } from '#server/lib/errors/start-error.ts';
import { parseKey } from '#verify/note.ts';
import { startWitness } from '#verify/witness.ts';

/**
 * Runs a witness of a ledger until it is ended. It needs no database and nothing of the site but the key of its log; variables
 * are WITNESS_NAME, WITNESS_DIR, WITNESS_HOST and WITNESS_PORT.
 *
 * @param text the verifier key of the log, from its page /ledger.
 * @throws StartError for a text that is no such key.
 */
export async function runWitness(text: string): Promise<boolean> {
  const log = parseKey(text);
  if (log?.type !== 1)
    throw new StartError(`${text} is not a verifier key of a ledger; the page /ledger of the site shows it.`);
  const {
    WITNESS_NAME = 'witness',
    WITNESS_DIR = 'witness',
    WITNESS_HOST = '127.0.0.1',
    WITNESS_PORT = '3099',
  } = process.env;
  if (!/^[^\s+]+$/.test(WITNESS_NAME)) throw new StartError('WITNESS_NAME must have no spaces and no plus sign.');
  const witness = await startWitness({
    name: WITNESS_NAME,
    folder: WITNESS_DIR,
    logs: [log],
    host: WITNESS_HOST,
    port: Number(WITNESS_PORT),
  });
  console.log(`Witness of ${log.name} at ${witness.url}`);
  console.log(`LEDGER_WITNESS_URL=${witness.url}`);
  console.log(`LEDGER_WITNESS_KEY=${witness.key}`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  await witness.close();
  return true;
}
