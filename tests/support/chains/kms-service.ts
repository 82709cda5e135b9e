import { spawn } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { getBase58Decoder } from '@solana/kit';
import { bytesToHex } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';

/**
 * How it answers. 'high_s': with the higher of the two signatures. 'sign_hangs': it accepts requests to sign and does not respond. 'garbage': bytes that
 * are no signature. 'other_key': another public key, and so another address. 'other_signs': its own public key, and signatures of another one.
 */
export type KmsMode =
  | 'ok'
  | 'high_s'
  | 'denied'
  | 'disabled'
  | 'throttled'
  | 'broken'
  | 'hang'
  | 'sign_hangs'
  | 'garbage'
  | 'no_signature'
  | 'other_signs'
  | 'other_key';

const REGION = 'eu-central-1';
const ACCESS_KEY = 'AKIAOFTHETESTS';
const SECRET_KEY = 'the-secret-of-the-tests-and-nothing-else';

/** Starts a key service as a process of its own, with a key named 'evm' and one named 'solana'. */
export async function startKms() {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, ['tests/support/chains/kms-process.ts'], {
    env: {
      PATH,
      NODE_NO_WARNINGS: '1',
      KMS_ACCESS_KEY: ACCESS_KEY,
      KMS_SECRET_KEY: SECRET_KEY,
      KMS_REGION: REGION,
    } as never,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { port, publicKeys } = JSON.parse(line) as { port: number; publicKeys: Record<'evm' | 'solana', string> };
  const url = `http://127.0.0.1:${port}`;
  const jwkOf = (name: 'evm' | 'solana') =>
    createPublicKey({ key: Buffer.from(publicKeys[name], 'base64'), format: 'der', type: 'spki' }).export({
      format: 'jwk',
    });
  const bytes = (text = '') => Buffer.from(text, 'base64url');
  const { x, y } = jwkOf('evm');
  return {
    url,
    region: REGION,
    addresses: {
      evm: publicKeyToAddress(bytesToHex(Buffer.concat([Buffer.of(4), bytes(x), bytes(y)]))),
      solana: getBase58Decoder().decode(bytes(jwkOf('solana').x)),
    },
    /** Credentials of a caller. */
    env: { AWS_ACCESS_KEY_ID: ACCESS_KEY, AWS_SECRET_ACCESS_KEY: SECRET_KEY },
    secret: SECRET_KEY,
    /** Sets the behaviour from now on. */
    behave: async (mode: KmsMode) =>
      void (await fetch(`${url}/control`, { method: 'POST', body: JSON.stringify({ mode }) })),
    /** Requests since its behaviour was last set. */
    calls: async () => ((await (await fetch(`${url}/control`)).json()) as { calls: string[] }).calls,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}
