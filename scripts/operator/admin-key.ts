import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  generateKeyPairSync,
  randomBytes,
  scryptSync,
  sign,
} from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { type AcceptanceStatement, readStatement } from '#server/domains/payments/proof/signer-evidence.service.ts';
import { StartError } from '#server/lib/errors/start-error.ts';

/** Cost of one guess at the passphrase: 128 MB and about half a second. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
/** Characters. */
const MIN_PASSPHRASE = 12;

/** Prints a question and returns the typed line. */
type Reader = (question: string) => Promise<string>;

const base64 = z.base64();
const keyFile = z.strictObject({
  what: z.literal('florka admin key 1'),
  publicKey: base64,
  salt: base64,
  nonce: base64,
  /** The private key, AES-256-GCM, with its tag at the end. */
  sealed: base64,
});

const cipherKey = (passphrase: string, salt: Buffer): Buffer =>
  scryptSync(passphrase.normalize('NFKC'), salt, 32, SCRYPT);

/**
 * Makes an Ed25519 key with which an admin signs what the signer accepts as an approval, sealed with a passphrase, in a new file that its owner
 * alone may read. Neither the site nor the signer ever has it.
 *
 * @throws StartError when the file is there or can't be written, or the passphrase is too short or not typed the same twice.
 */
export async function makeAdminKey(file: string, read: Reader = readLine): Promise<boolean> {
  const passphrase = await read('Passphrase: ');
  if (passphrase.length < MIN_PASSPHRASE)
    throw new StartError(`The passphrase needs ${MIN_PASSPHRASE} characters or more.`);
  if (process.stdin.isTTY && (await read('Once more: ')) !== passphrase)
    throw new StartError('The two passphrases are different.');
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const open = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', cipherKey(passphrase, salt), nonce);
  cipher.setAAD(Buffer.from(open));
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' });
  const sealed = Buffer.concat([cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  const content: z.infer<typeof keyFile> = {
    what: 'florka admin key 1',
    publicKey: open,
    salt: salt.toString('base64'),
    nonce: nonce.toString('base64'),
    sealed: sealed.toString('base64'),
  };
  try {
    writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw new StartError(`${file} can't be written (${(error as NodeJS.ErrnoException).code}).`);
  }
  console.log(`The key is in ${file}; it cannot be used without its passphrase, which cannot be recovered.`);
  console.log(`For the signer: SIGNER_ADMIN_KEYS=${open}`);
  return true;
}

/**
 * Signs a statement about a payment, as the back office shows it, and prints what is brought back there. Needs neither network nor database.
 *
 * @throws StartError for a file that is no key or no statement, and for a wrong passphrase.
 */
export async function signAcceptance(
  keyPath: string,
  statementPath: string,
  read: Reader = readLine,
): Promise<boolean> {
  const key = keyFile.safeParse(readJson(keyPath));
  if (!key.success) throw new StartError(`${keyPath} is not a key made by \`florka admin key\`.`);
  // As the site shows it, without the line end that an editor adds.
  const text = readText(statementPath).trim();
  const statement = readStatement(text);
  if (!statement) throw new StartError(`${statementPath} does not contain a statement about a payment.`);
  console.error(inWords(statement));
  const passphrase = await read('Passphrase, if this is right: ');
  const { publicKey, salt, nonce, sealed } = key.data;
  const signature = sign(null, Buffer.from(text), unseal(passphrase, { publicKey, salt, nonce, sealed }));
  console.log(JSON.stringify({ statement: text, publicKey, signature: signature.toString('base64') }));
  return true;
}

/** @throws StartError for a wrong passphrase, or a file that somebody changed. */
function unseal(
  passphrase: string,
  { publicKey, salt, nonce, sealed }: { publicKey: string; salt: string; nonce: string; sealed: string },
) {
  const bytes = Buffer.from(sealed, 'base64');
  try {
    const decipher = createDecipheriv(
      'aes-256-gcm',
      cipherKey(passphrase, Buffer.from(salt, 'base64')),
      Buffer.from(nonce, 'base64'),
      { authTagLength: 16 },
    );
    decipher.setAAD(Buffer.from(publicKey));
    decipher.setAuthTag(bytes.subarray(-16));
    const secret = Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]);
    return createPrivateKey({ key: secret, format: 'der', type: 'pkcs8' });
  } catch {
    throw new StartError('This is not the passphrase of the key.');
  }
}

const inWords = ({ requestId, orderId, token, priceUsd, deposits, reason, at }: AcceptanceStatement): string =>
  [
    `Request ${requestId}, order ${orderId}: agreed were ${priceUsd} US dollars.`,
    `One token may be made: ${JSON.stringify(token.name)} (${JSON.stringify(token.symbol)}) on ${token.network}`,
    `  its whole supply goes to ${token.owner}`,
    'Taken for enough for it:',
    ...deposits.map(({ paymentId, amount, currency }) => `  ${amount} ${currency} (deposit ${paymentId})`),
    `Accepted ${at}${reason ? `: ${JSON.stringify(reason)}` : ''}`,
  ].join('\n');

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`${file} can't be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function readJson(file: string): unknown {
  const text = readText(file);
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A line that is not shown while it is typed; from a pipe its first line. */
async function readLine(question: string): Promise<string> {
  if (process.stdin.isTTY) return readHiddenLine(question, process.stdin, process.stderr);
  for await (const line of createInterface({ input: process.stdin })) return line;
  return '';
}

/**
 * A line that is typed at a terminal and not shown. The terminal stays open for the next one.
 *
 * @throws StartError for Ctrl-C.
 */
export async function readHiddenLine(
  question: string,
  terminal: Readable & { setRawMode(raw: boolean): unknown },
  shown: { write(text: string): unknown },
): Promise<string> {
  shown.write(question);
  terminal.setRawMode(true);
  let typed = '';
  try {
    // Otherwise the end of the loop closes the terminal, and the second question of `admin key` is never answered.
    for await (const chunk of terminal.iterator({ destroyOnReturn: false })) {
      for (const sign of String(chunk)) {
        if (sign === '\r' || sign === '\n') return typed;
        if (sign === '\u0003') throw new StartError('Nothing was done.');
        typed = sign === '\u007f' ? typed.slice(0, -1) : typed + sign;
      }
    }
    return typed;
  } finally {
    terminal.setRawMode(false);
    terminal.pause();
    shown.write('\n');
  }
}
