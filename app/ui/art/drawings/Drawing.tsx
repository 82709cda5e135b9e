import { CrownedPuppetShapes } from './CrownedPuppet.tsx';
import { SkylineShapes, StarsShapes } from './Skyline.tsx';
import { type TokenCoinProps, TokenCoinShapes } from './TokenCoin.tsx';

export type DrawingProps = { name: 'skyline' | 'stars' | 'crowned-puppet' } | ({ name: 'token-coin' } & TokenCoinProps);

/** The shapes of a drawing, for the inside of its `<svg>`. */
export default function Drawing(props: DrawingProps) {
  switch (props.name) {
    case 'skyline':
      return <SkylineShapes />;
    case 'stars':
      return <StarsShapes />;
    case 'crowned-puppet':
      return <CrownedPuppetShapes />;
    case 'token-coin':
      return <TokenCoinShapes id={props.id} symbol={props.symbol} small={props.small} />;
  }
}
