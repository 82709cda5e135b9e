import { useEffect, useState } from 'react';
import { type Checksum, hasEvmAddresses } from '#contract/fields/wallets.ts';

let loaded: Checksum | null = null;

/**
 * The checksum function for EVM addresses, loaded when the network has such addresses. Null for other networks, while it is loading,
 * and when it can't be loaded: the server checks in any case.
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
