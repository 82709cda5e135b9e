import { etherscan } from './etherscan.ts';
import type { SourceExplorer } from './port.ts';

/** The configured explorer; null if the source of contracts is not submitted. */
export const openExplorer = (env: {
  ETHERSCAN_API_KEY?: string | undefined;
  ETHERSCAN_URL: string;
}): SourceExplorer | null =>
  env.ETHERSCAN_API_KEY ? etherscan({ url: env.ETHERSCAN_URL, apiKey: env.ETHERSCAN_API_KEY }) : null;
