import { PuppetHead } from '../PuppetHead.tsx';

/** Shapes of the `SceneConstruction`, in the box of a scene. */
export function SceneConstructionShapes() {
  return (
    <>
      <path d="M140 30v132M72 96v66M208 96v66" stroke="#9a6a3a" strokeWidth="6" strokeLinecap="round" />
      <path d="M140 34 72 98M140 34l68 64" stroke="var(--wire)" strokeWidth="2.5" strokeDasharray="6 6" />
      <path d="M140 32Q122 80 72 98h20q4 8 16 0 10 6 32 0z" fill="#f4604f" />
      <path d="M140 32q-12 48-32 66 10 6 32 0z" fill="#fff4dc" />
      <path d="M72 98h68v8a11 11 0 0 1-22.6 0 11 11 0 0 1-22.6 0 11 11 0 0 1-22.8 0z" fill="#ffb627" />
      <path d="M140 30V14l18 6-18 6" fill="#3aa9a0" stroke="#3aa9a0" strokeWidth="2" strokeLinejoin="round" />
      <path
        d="m168 162 22-84m16 84-12-84M173 144h31M178 126h23M182 108h16"
        fill="none"
        stroke="#c48d52"
        strokeWidth="5"
        strokeLinecap="round"
      />
      <path d="M184 126 182 145M197 126 199 145" fill="none" stroke="#24346e" strokeWidth="8" strokeLinecap="round" />
      <path d="M178 146h7M196 146h7" stroke="#4a2a14" strokeWidth="5" strokeLinecap="round" />
      <path d="M180 88h21l4 42h-29z" fill="#3aa9a0" stroke="#4a2a14" strokeWidth="2.5" strokeLinejoin="round" />
      <path d="M184 104h13" stroke="#ffb627" strokeWidth="4" strokeLinecap="round" />
      <path
        d="M183 94Q168 96 158 82M199 94q12 8 4 26"
        fill="none"
        stroke="#4a2a14"
        strokeWidth="10"
        strokeLinecap="round"
      />
      <path
        d="M183 94Q168 96 158 82M199 94q12 8 4 26"
        fill="none"
        stroke="#f2c897"
        strokeWidth="6"
        strokeLinecap="round"
      />
      <path d="M160 86 150 66" stroke="#9a6a3a" strokeWidth="4" strokeLinecap="round" />
      <path d="m141 69 17-8" stroke="#696d8c" strokeWidth="8" strokeLinecap="round" />
      <PuppetHead x={191} y={66} scale={0.6} look={-1} />
      <path d="M24 162v-18h36v18zM60 162v-26h4v26" fill="#c48d52" />
      <path d="M222 160h34l-5-22h-24z" fill="#ffb627" stroke="#8a5600" strokeWidth="2.5" strokeLinejoin="round" />
      <path d="M228 148h24" stroke="#5a3800" strokeWidth="5" strokeDasharray="5 5" />
    </>
  );
}
