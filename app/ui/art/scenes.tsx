import type { ReactNode } from 'react';
import { PuppetHead } from './Puppet.tsx';
import { Tent } from './Tent.tsx';

function Scene({ children }: { children: ReactNode }) {
  return (
    <svg className="scene" viewBox="0 0 280 180" width="280" height="180" aria-hidden="true">
      <ellipse cx="140" cy="164" rx="124" ry="11" fill="var(--pen)" opacity="0.1" />
      {children}
    </svg>
  );
}

/** A list without rows: the light is on, nobody has come out yet, somebody peeks. */
export function SceneEmptyStage() {
  return (
    <Scene>
      <path d="M48 34h184v106H48z" fill="light-dark(#3a2230, #0b0c15)" />
      <path d="M140 30 96 142h88z" fill="#ffdc8f" opacity="0.34" />
      <ellipse cx="140" cy="141" rx="46" ry="7" fill="#ffdc8f" opacity="0.85" />
      <PuppetHead x={206} y={92} scale={0.62} look={-1} />
      <path d="M40 30c34 22 40 58 24 112H40zM240 30c-34 22-34 58-22 112h22z" fill="#e0503f" />
      <path d="M46 34c16 28 18 66 10 108H40V30zM236 34c-14 28-14 66-8 108h12V30z" fill="#b93a31" />
      <path
        d="M36 24h208v12a13 13 0 0 1-26 2 13 13 0 0 1-26 0 13 13 0 0 1-26 0 13 13 0 0 1-26 0 13 13 0 0 1-26 0 13 13 0 0 1-26 0 13 13 0 0 1-26 0 13 13 0 0 1-26-2z"
        fill="#f4604f"
      />
      <path d="M30 140h220v20H30z" fill="#9a6a3a" />
      <path d="M30 140h220v5H30z" fill="#c48d52" />
      <path d="M40 152h204" stroke="#ffcf6b" strokeWidth="6" strokeLinecap="round" strokeDasharray="0 17" />
      <path d="M36 18h208v8H36z" fill="#ffb627" />
    </Scene>
  );
}

/** Not found: the stub is gone with the wind. */
export function SceneLostTicket() {
  return (
    <Scene>
      <PuppetHead x={66} y={116} scale={0.98} look={1} />
      <path d="M34 164c2-16 12-24 32-24s32 8 34 24z" fill="#3aa9a0" stroke="#4a2a14" strokeWidth="3" />
      <path d="M98 148c16-6 24-18 30-34" fill="none" stroke="#4a2a14" strokeWidth="9" strokeLinecap="round" />
      <path d="M98 148c16-6 24-18 30-34" fill="none" stroke="#f2c897" strokeWidth="5" strokeLinecap="round" />
      <g transform="rotate(14 190 62)">
        <path
          d="M150 34h70v14a9 9 0 0 0 0 18v14h-70l6-8-6-7 6-8-6-8 6-7z"
          fill="#ffb627"
          stroke="#8a5600"
          strokeWidth="3"
          strokeLinejoin="round"
        />
        <path d="m186 42 4.5 10 10.5 1-8 7.5 2.5 10.5-9.5-5.5-9.5 5.5 2.5-10.5-8-7.5 10.5-1z" fill="#fff3cf" />
      </g>
      <g fill="none" stroke="var(--wire)" strokeWidth="3" strokeLinecap="round">
        <path d="M118 74c14-12 20 8 34-4M124 96c12-8 18 6 30-2M236 96c10-8 16 6 26-2" />
      </g>
    </Scene>
  );
}

/** No permission, closed, offline: the gate is shut. */
export function SceneClosedGate() {
  return (
    <Scene>
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
    </Scene>
  );
}

/** Coming soon: the tent is going up. */
export function SceneConstruction() {
  return (
    <Scene>
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
    </Scene>
  );
}
