// The source of the contract behind tokens on EVM chains, for publication. `npm test` compiles it again (contracts/).
import input from './contracts/LaunchToken.input.json' with { type: 'json' };
import artifact from './contracts/LaunchToken.json' with { type: 'json' };

/** The data that a block explorer needs to verify a source. */
export interface TokenSource {
  /** File name and contract name. */
  name: string;
  /** Compiler version in the explorers' format: 'v0.8.37+commit.f401782d'. */
  compiler: string;
  /** The compiler's standard JSON input: sources and settings, as text. */
  input: string;
  /** The constructor's arguments, ABI-encoded, hex without 0x. */
  constructorArguments: string;
}

/**
 * The source of a created contract.
 *
 * @param initCode of the token's plan: the creation code with its arguments, hex.
 * @returns null for the code of an earlier version, whose source is not included.
 */
export function tokenSourceOf(initCode: string | undefined): TokenSource | null {
  const code = initCode?.toLowerCase();
  const own = artifact.creationCode.toLowerCase();
  if (!code?.startsWith(own)) return null;
  return {
    name: `${artifact.contract}.sol:${artifact.contract}`,
    compiler: `v${/^\d+\.\d+\.\d+\+commit\.[0-9a-f]+/.exec(artifact.compiler)?.[0] ?? ''}`,
    input: JSON.stringify(input),
    constructorArguments: code.slice(own.length),
  };
}
