// The source of the contract that tokens on EVM chains are, for who publishes it. `npm test` compiles it again (contracts/).
import input from './contracts/LaunchToken.input.json' with { type: 'json' };
import artifact from './contracts/LaunchToken.json' with { type: 'json' };

/** What a block explorer wants to know of a source. */
export interface TokenSource {
  /** File and name. */
  name: string;
  /** As explorers name compilers: 'v0.8.37+commit.f401782d'. */
  compiler: string;
  /** The compiler's standard JSON input: sources and settings, as text. */
  input: string;
  /** What the constructor got, ABI-encoded, hex without 0x. */
  constructorArguments: string;
}

/**
 * The source of a contract that was made.
 *
 * @param initCode of the token's plan: the code that creates it with its arguments, hex.
 * @returns null for the code of an earlier version, whose source is not here.
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
