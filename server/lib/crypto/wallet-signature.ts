// Texts that wallets sign, and the verification of the signatures: EIP-4361 on EVM chains, its Solana equivalent on
// Solana.
import { createPublicKey, verify } from 'node:crypto';
import { base58 } from '@scure/base';
import { type Hex, isAddressEqual, recoverMessageAddress } from 'viem';
import { createSiweMessage } from 'viem/siwe';
import { checksummed } from '#contract/fields/evm-checksum.ts';
import { checkWallet } from '#contract/fields/wallets.ts';
import { EVM_CHAIN_IDS, type Network } from '#contract/networks.ts';

interface WalletText {
  network: Network;
  /**
   * Origin of the text, as `new URL(publicUrl)`: wallets compare its host with the page that requests the signature.
   */
  site: URL;
  address: string;
  /** One line with the purpose of the signature. */
  statement: string;
  /** Letters and digits, 16 to 64 characters. */
  nonce: string;
  issuedAt: Date;
  expiresAt: Date;
}

/**
 * The canonical form in which an address is stored and compared: with its EIP-55 checksum on EVM chains, unchanged on
 * Solana.
 *
 * @returns null for an invalid address of the network.
 */
export function walletAddress(network: Network, address: string): string | null {
  const check = checkWallet(network, address, checksummed);
  if (check === 'invalid') return null;
  return network === 'solana' ? address : checksummed(address);
}

/** The text for the wallet to sign: names the site, the chain, the address, a nonce and the expiry. */
export function walletText({ network, site, address, statement, nonce, issuedAt, expiresAt }: WalletText): string {
  if (network !== 'solana')
    return createSiweMessage({
      domain: site.host,
      address: address as Hex,
      statement,
      uri: site.origin,
      version: '1',
      chainId: EVM_CHAIN_IDS[network],
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

/** DER prefix of an Ed25519 public key. */
const ED25519 = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * True if the wallet signed exactly this text. On EVM chains only for externally owned accounts: signatures of
 * contracts (EIP-1271) would require a call to the chain.
 *
 * @param signed.signature '0x' and hexadecimal digits: 65 bytes on EVM chains, 64 on Solana.
 * @returns false for malformed signatures, too.
 */
export async function isSignedBy(signed: {
  network: Network;
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
