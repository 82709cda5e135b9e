/** A contract whose source an explorer is to publish. */
export interface ContractSource {
  chainId: string;
  address: string;
  /** What the constructor got, ABI-encoded, hex without 0x. */
  constructorArguments: string;
  /** File and name, as 'LaunchToken.sol:LaunchToken'. */
  name: string;
  /** As explorers name compilers: 'v0.8.37+commit.f401782d'. */
  compiler: string;
  /** The compiler's standard JSON input, as text. */
  input: string;
}

/** What an explorer says of a source. 'later': nothing yet, or nothing that lasts. */
export type Verdict = { is: 'verified' } | { is: 'refused' | 'later'; detail: string };

/** A block explorer that verifies sources of contracts. Both throw when it does not answer. */
export interface SourceExplorer {
  /** Chains that it knows, by id. */
  chains: readonly string[];
  /** Hands the source in. @returns its number there, or what it says at once. */
  submit(source: ContractSource): Promise<{ is: 'submitted'; guid: string } | Verdict>;
  /** What became of a submission. */
  check(chainId: string, guid: string): Promise<Verdict>;
}
