import { CrownedPuppetShapes } from './CrownedPuppetShapes.tsx';
import { SceneClosedGateShapes } from './SceneClosedGateShapes.tsx';
import { SceneConstructionShapes } from './SceneConstructionShapes.tsx';
import { SceneEmptyStageShapes } from './SceneEmptyStageShapes.tsx';
import { SceneNotFoundShapes } from './SceneNotFoundShapes.tsx';
import { SkylineShapes, StarsShapes } from './SkylineShapes.tsx';
import { type TokenCoinProps, TokenCoinShapes } from './TokenCoinShapes.tsx';

export type SceneName = 'closed-gate' | 'construction' | 'empty-stage' | 'not-found';

export type DrawingProps =
  | { name: 'skyline' | 'stars' | 'crowned-puppet' | SceneName }
  | ({ name: 'token-coin' } & TokenCoinProps);

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
    default:
      return (
        <>
          <ellipse cx="140" cy="164" rx="124" ry="11" fill="var(--pen)" opacity="0.1" />
          <SceneShapes name={props.name} />
        </>
      );
  }
}

function SceneShapes({ name }: { name: SceneName }) {
  switch (name) {
    case 'closed-gate':
      return <SceneClosedGateShapes />;
    case 'construction':
      return <SceneConstructionShapes />;
    case 'empty-stage':
      return <SceneEmptyStageShapes />;
    case 'not-found':
      return <SceneNotFoundShapes />;
  }
}
