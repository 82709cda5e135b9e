/** A contract whose source is to be verified. */
export interface ContractSource {
  chainId: string;
  address: string;
  /** Arguments of the constructor, ABI-encoded, hex without 0x. */
  constructorArguments: string;
  /** File and contract name: 'LaunchToken.sol:LaunchToken'. */
  name: string;
  /** Compiler version in the explorers' format: 'v0.8.37+commit.f401782d'. */
  compiler: string;
  /** The compiler's standard JSON input, as text. */
  input: string;
}

/** Result of a verification. 'later': no result yet, or a temporary failure. */
export type Verdict = { is: 'verified' } | { is: 'refused' | 'later'; detail: string };

/** A block explorer that verifies the source of contracts. Both methods throw if it does not respond. */
export interface SourceExplorer {
  /** Ids of the supported chains. */
  chains: readonly string[];
  /** Submits a source. @returns the id of the submission, or an immediate result. */
  submit(source: ContractSource): Promise<{ is: 'submitted'; guid: string } | Verdict>;
  /** Result of a submission. */
  check(chainId: string, guid: string): Promise<Verdict>;
}
