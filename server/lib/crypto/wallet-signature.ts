// What wallets sign for us, and whether they did: EIP-4361 on Ethereum and the like, its Solana equivalent there.
import { createPublicKey, verify } from 'node:crypto';
import { base58 } from '@scure/base';
import { type Hex, isAddressEqual, recoverMessageAddress } from 'viem';
import { createSiweMessage } from 'viem/siwe';
import { checksummed } from '#contract/fields/evm-checksum.ts';
import type { MarketNetwork } from '#contract/fields/schemas.ts';
import { checkWallet } from '#contract/fields/wallets.ts';

/** By EIP-155; Solana has names instead of numbers. */
const CHAIN_IDS = { ethereum: 1, bnb: 56, polygon: 137 } as const;

interface WalletText {
  network: MarketNetwork;
  /** Whose text it is, as `new URL(publicUrl)`: wallets compare the host with the page that asks. */
  site: URL;
  address: string;
  /** One line that says what the signature is for. */
  statement: string;
  /** Letters and digits, 16 to 64. */
  nonce: string;
  issuedAt: Date;
  expiresAt: Date;
}

/**
 * An address in the one form in which it is stored and compared: with its checksum on Ethereum and the like.
 *
 * @returns null for what is no address of the network.
 */
export function walletAddress(network: MarketNetwork, address: string): string | null {
  const check = checkWallet(network, address, checksummed);
  if (check === 'invalid') return null;
  return network === 'solana' ? address : checksummed(address);
}

/** The text that a wallet is asked to sign: it names the site, the chain, the address, a nonce and its end. */
export function walletText({ network, site, address, statement, nonce, issuedAt, expiresAt }: WalletText): string {
  if (network !== 'solana')
    return createSiweMessage({
      domain: site.host,
      address: address as Hex,
      statement,
      uri: site.origin,
      version: '1',
      chainId: CHAIN_IDS[network],
      nonce,
      issuedAt,
      expirationTime: expiresAt,
    });
  return `${site.host} wants you to sign in with your Solana account:
${address}

${statement}

URI: ${site.origin}
Version: 1
Chain ID: mainnet
Nonce: ${nonce}
Issued At: ${issuedAt.toISOString()}
Expiration Time: ${expiresAt.toISOString()}`;
}

/** The DER head of an Ed25519 public key. */
const ED25519 = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Whether a wallet signed exactly this text. Of Ethereum and the like wallets with a key of their own only: signatures of
 * contracts (EIP-1271) would need a question to the chain.
 *
 * @param signature '0x' and hexadecimal digits: 65 bytes, 64 on Solana.
 */
export async function isSignedBy(signed: {
  network: MarketNetwork;
  address: string;
  message: string;
  signature: string;
}): Promise<boolean> {
  const { network, address, message, signature } = signed;
  if (!/^0x(?:[0-9a-f]{2}){64,65}$/i.test(signature)) return false;
  try {
    if (network !== 'solana')
      return isAddressEqual(await recoverMessageAddress({ message, signature: signature as Hex }), address as Hex);
    const key = createPublicKey({ key: Buffer.concat([ED25519, base58.decode(address)]), format: 'der', type: 'spki' });
    return verify(null, Buffer.from(message), key, Buffer.from(signature.slice(2), 'hex'));
  } catch {
    return false;
  }
}
