import { Tent } from '../Tent.tsx';

/** Shapes of the `Skyline`, in its box of 1440 x 260. */
export function SkylineShapes() {
  return (
    <>
      <path
        d="M-1200 206c260-30 420 6 620-14s400-20 580 22C180 180 300 202 470 192s280-40 470-14 330-16 500 6c240-26 420 14 640-8s400-10 560 18v66H-1200z"
        fill="var(--far)"
        opacity="0.55"
      />
      <g data-part="wheel" transform="translate(-426)">
        <g fill="none" stroke="var(--far)">
          <path d="M1000 128 966 236M1000 128l34 108" strokeWidth="6" />
          <circle cx="1000" cy="120" r="96" strokeWidth="5" />
          <circle cx="1000" cy="120" r="78" strokeWidth="2" />
          <path
            d="M1000 24v192M904 120h192M932 52l136 136M1068 52 932 188M963 31l74 178M1037 31l-74 178M911 83l178 74M1089 83l-178 74"
            strokeWidth="2"
          />
        </g>
        <circle
          cx="1000"
          cy="120"
          r="96"
          fill="none"
          stroke="var(--bulb)"
          strokeWidth="7"
          strokeLinecap="round"
          strokeDasharray="0 18.85"
        />
        <circle cx="1000" cy="120" r="9" fill="var(--bulb)" />
      </g>
      <Tent x={1000} y={190} width={150} roof={74} wall={60} colours={['var(--far)', 'var(--far)']} flag="var(--far)" />
      <Tent
        x={1330}
        y={180}
        width={190}
        roof={84}
        wall={70}
        colours={['var(--tent-d)', 'var(--tent-b)']}
        flag="var(--tent-c)"
      />
      <Tent
        x={770}
        y={178}
        width={236}
        roof={108}
        wall={70}
        colours={['var(--tent-a)', 'var(--tent-b)']}
        flag="var(--tent-c)"
      />
      <Tent
        x={170}
        y={184}
        width={220}
        roof={92}
        wall={70}
        colours={['var(--tent-c)', 'var(--tent-b)']}
        flag="var(--tent-a)"
      />
      <Tent
        x={404}
        y={200}
        width={136}
        roof={62}
        wall={56}
        colours={['var(--tent-d)', 'var(--tent-b)']}
        flag="var(--tent-c)"
      />
      <Tent
        x={1162}
        y={204}
        width={130}
        roof={58}
        wall={56}
        colours={['var(--tent-a)', 'var(--tent-c)']}
        flag="var(--tent-d)"
      />
      {wings.map((tent) => (
        <Tent key={tent.x} {...tent} />
      ))}
      {strings.map((d) => (
        <g key={d} fill="none" strokeLinecap="round">
          <path d={d} stroke="var(--wire)" strokeWidth="1.5" />
          <path d={d} stroke="var(--bulb)" strokeWidth="5.5" strokeDasharray="0 17" />
        </g>
      ))}
      <path
        d="M-1200 236c300-12 560 16 1200 4 160-16 330-14 520-4s330 10 520-4 270-8 400 0c560-14 900 10 1200-2v40H-1200z"
        fill="var(--hill)"
      />
    </>
  );
}

/** Beyond the drawing's own width, for wide screens. */
const wings = [
  {
    x: -150,
    y: 196,
    width: 170,
    roof: 76,
    wall: 60,
    colours: ['var(--tent-a)', 'var(--tent-b)'],
    flag: 'var(--tent-c)',
  },
  {
    x: -420,
    y: 190,
    width: 210,
    roof: 90,
    wall: 64,
    colours: ['var(--tent-d)', 'var(--tent-c)'],
    flag: 'var(--tent-a)',
  },
  {
    x: 1590,
    y: 200,
    width: 150,
    roof: 66,
    wall: 56,
    colours: ['var(--tent-c)', 'var(--tent-b)'],
    flag: 'var(--tent-d)',
  },
  {
    x: 1850,
    y: 188,
    width: 220,
    roof: 94,
    wall: 66,
    colours: ['var(--tent-a)', 'var(--tent-b)'],
    flag: 'var(--tent-c)',
  },
] as const;

const strings = [
  'M-1100 90Q-760 180 -420 100Q-280 190 -150 120Q-60 160 170 92Q300 190 404 138Q590 190 770 70',
  'M770 70Q1000 230 1162 146Q1260 150 1330 96Q1460 190 1590 134Q1720 190 1850 94Q2200 190 2540 90',
];

/** Shapes of the `Stars`, in their box of 1200 x 500. */
export function StarsShapes() {
  return (
    <g fill="none" stroke="var(--sky-star)" strokeLinecap="round">
      <path
        d="M60 60h0M190 130h0M330 40h0M470 170h0M610 70h0M760 130h0M905 50h0M1040 160h0M1150 80h0M260 230h0M700 240h0M1100 270h0"
        strokeWidth="2.4"
        opacity="0.7"
      />
      <path
        d="M110 190h0M250 80h0M400 110h0M540 30h0M680 190h0M830 80h0M980 220h0M1090 40h0M30 290h0M560 260h0M880 280h0"
        strokeWidth="1.5"
        opacity="0.5"
      />
      <path className="hero-star" d="M150 40h0M440 70h0M720 40h0M940 130h0M1180 200h0" strokeWidth="3.4" />
    </g>
  );
}
