import { useEffect, useState } from 'react';
import { type Checksum, hasEvmAddresses } from '#contract/fields/wallets.ts';

let loaded: Checksum | null = null;

/**
 * What checks the mix of cases in EVM addresses, loaded when the network has such addresses. Null for other networks, until
 * it is there, and when it can't be loaded: the server has the last word.
 */
export function useChecksum(network: string): Checksum | null {
  const needed = hasEvmAddresses(network);
  const [checksum, setChecksum] = useState(() => loaded);
  useEffect(() => {
    if (!needed || checksum) return;
    import('#contract/fields/evm-checksum.ts').then(
      (module) => {
        loaded = module.checksummed;
        setChecksum(() => loaded);
      },
      () => {},
    );
  }, [needed, checksum]);
  return needed ? checksum : null;
}
