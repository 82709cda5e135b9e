import {
  type ComponentType,
  createContext,
  Suspense,
  type SVGAttributes,
  use,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { bundledDrawing } from './drawings/bundled.ts';
import type { DrawingProps } from './drawings/Drawing.tsx';

/** Draws what the document does not contain: `Drawing`, loaded on demand. */
export const LazyDrawing = createContext<ComponentType<DrawingProps> | null>(null);

interface DrawnProps extends SVGAttributes<SVGSVGElement> {
  drawing: DrawingProps;
}

/** Never rendered: while it hydrates, React does not touch the children of an element that has such a property. */
const MARKUP_OF_DOCUMENT = { __html: '' };
const subscribeToNothing = () => () => {};

/**
 * An `<svg>` with one of the drawings. A browser leaves the shapes that are in the document as they are, and loads the code of the drawings
 * only for one that is not: on a page that came without a document, or of another token.
 */
export function Drawn(props: DrawnProps) {
  return bundledDrawing ? <BundledDrawing {...props} /> : <DrawnInBrowser {...props} />;
}

function BundledDrawing({ drawing, ...svg }: DrawnProps) {
  const Drawing = bundledDrawing;
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: named or hidden by its caller.
    <svg {...svg}>{Drawing ? <Drawing {...drawing} /> : null}</svg>
  );
}

function DrawnInBrowser({ drawing, ...svg }: DrawnProps) {
  const wanted = JSON.stringify(drawing);
  const [first] = useState(wanted);
  // True for good when the first render hydrates: with a constant second value React would render all drawings again afterwards.
  const hydrated = useRef(false);
  hydrated.current = useSyncExternalStore(
    subscribeToNothing,
    () => hydrated.current,
    () => true,
  );
  const Loaded = use(LazyDrawing);
  if (hydrated.current && first === wanted)
    return (
      // biome-ignore lint/security/noDangerouslySetInnerHtml: empty, and never written.
      <svg key="document" {...svg} suppressHydrationWarning dangerouslySetInnerHTML={MARKUP_OF_DOCUMENT} />
    );
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: named or hidden by its caller.
    <svg key={wanted} {...svg}>
      {Loaded ? (
        <Suspense>
          <Loaded {...drawing} />
        </Suspense>
      ) : null}
    </svg>
  );
}
