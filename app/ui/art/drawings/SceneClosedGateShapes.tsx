import { Tent } from '../Tent.tsx';

/** Shapes of the `SceneClosedGate`, in the box of a scene. */
export function SceneClosedGateShapes() {
  return (
    <>
      <Tent x={140} y={104} width={124} roof={46} wall={56} colours={['var(--far)', 'var(--far)']} flag="var(--far)" />
      <path d="M44 160V70a96 62 0 0 1 192 0v90" fill="none" stroke="#e0503f" strokeWidth="13" />
      <path
        d="M44 70a96 62 0 0 1 192 0"
        fill="none"
        stroke="#ffe0a0"
        strokeWidth="6"
        strokeLinecap="round"
        strokeDasharray="0 17"
      />
      <path
        d="M64 160v-58M88 160V84M112 160V76M168 160V76M192 160V84M216 160v-58M140 160V74"
        stroke="var(--wire)"
        strokeWidth="6"
        strokeLinecap="round"
      />
      <path d="M52 132h176" stroke="var(--wire)" strokeWidth="6" />
      <path d="M116 96l24-16 24 16" fill="none" stroke="#8a5600" strokeWidth="3" />
      <rect x="102" y="95" width="76" height="34" rx="7" fill="#ffb627" stroke="#8a5600" strokeWidth="3" />
      <path
        d="M134 108v-3a6 6 0 0 1 12 0v3m-15 0h18v13h-18z"
        fill="#5a3800"
        stroke="#5a3800"
        strokeWidth="2"
        strokeLinejoin="round"
        fillOpacity="0.9"
      />
    </>
  );
}
