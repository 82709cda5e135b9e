import { LAST_WINNER } from './candidates-back.ts';
import { prose } from './text.ts';

export interface DemoLaunch {
  name: string;
  symbol: string;
  line: string;
  text: string;
  /** Hours from now to the launch; omitted: no date yet. */
  inHours?: number;
  progress: number;
  price: number;
  cap?: string;
  /** Omitted for winners of a round: since its end. */
  ageDays?: number;
  /** The round that it won, and its number of votes. */
  won?: { round: number; votes: number };
  /** It has moved on to home and is no longer shown here. */
  inactive?: boolean;
}

export const LAUNCHES: DemoLaunch[] = [
  {
    name: LAST_WINNER,
    symbol: 'PULPO',
    line: 'Ganador de la ronda 6: ocho brazos, ocho hilos y una puerta a punto de abrirse.',
    text: prose`
      El Pulpo llega a la puerta con la corona de la ronda 6 y los ocho oficios listos. La noche empieza con una
      función abierta y termina con el contrato publicado, revisado y sin llaves ocultas.

      Habrá gente del equipo en el foro toda la madrugada. Pregunten, que para eso tiene tantos brazos.`,
    inHours: 7.4,
    progress: 96,
    price: 0.0012,
    cap: '$48.0k',
  },
  {
    name: 'Marimba Club',
    symbol: 'MARIMBA',
    line: 'Madera que canta: talleres de luthería financiados a cuatro manos.',
    text: prose`
      Seis talleres del Pacífico arman marimbas de chonta y forman aprendices. El token abre el libro de pedidos y
      paga herramientas antes que nada.

      El reparto del lanzamiento está publicado desde hace un mes y no cambió ni una coma.`,
    inHours: 53,
    progress: 82,
    price: 0.004,
    cap: '$30.0k',
    won: { round: 5, votes: 287 },
  },
  {
    name: 'Guayaba Club',
    symbol: 'GUAYABA',
    line: 'Bocadillo envuelto en hoja: cosecha compartida con cuentas dulces y claras.',
    text: prose`
      Una finca, veintidós familias y un calendario de cosecha que cualquiera puede seguir. Lo que se vende se anota
      el mismo día y lo que sobra se vuelve mermelada.`,
    inHours: 5 * 24 + 4,
    progress: 64,
    price: 0.0007,
    ageDays: 23,
  },
  {
    name: 'Sombrero Vueltiao',
    symbol: 'VUELTIAO',
    line: 'Veintiuna vueltas de caña flecha y un registro de autoría para cada tejido.',
    text: prose`
      Cada sombrero sale con un certificado que nombra a quien lo tejió, la pinta y el resguardo. Copiarlo es fácil;
      copiar la historia, no tanto.

      The weavers set the price and keep the keys. El equipo técnico sólo mantiene las luces encendidas.`,
    inHours: 12 * 24 + 9,
    progress: 47,
    price: 0.0095,
    ageDays: 31,
  },
  {
    name: 'Tren Fantasma',
    symbol: 'FANTASMA',
    line: 'Ya salió de la estación: sustos en vivo escritos por la comunidad.',
    text: prose`
      Relatos de terror breves, leídos a oscuras y votados por la cantidad de gritos. El lanzamiento fue anoche y el
      vagón salió lleno.

      La primera antología se imprime con lo que junte la boletería de este mes.`,
    inHours: -26,
    progress: 100,
    price: 0.0021,
    cap: '$63.4k',
    won: { round: 4, votes: 241 },
  },
  {
    name: 'Cometa Andina',
    symbol: 'COMETA',
    line: 'Sin fecha todavía: el equipo prefiere llegar tarde que llegar mal.',
    text: prose`
      Mensajería de montaña con radios viejas y repetidores solares. El prototipo cruzó dos valles y se perdió en el
      tercero.

      Volverán con fecha cuando termine la segunda revisión del contrato. Mientras tanto publican el diario de
      pruebas.`,
    progress: 18,
    price: 0,
    ageDays: 11,
  },
  {
    name: 'Churro Nocturno',
    symbol: 'CHURRO',
    line: 'Salió de aquí con la cola dando la vuelta a la plaza y ya está en la portada.',
    text: prose`
      Ganó la ronda 3, cumplió su cuenta atrás al minuto y pasó a Home con el azúcar todavía tibio.`,
    inHours: -43 * 24,
    progress: 100,
    price: 0.0003,
    won: { round: 3, votes: 198 },
    inactive: true,
  },
  {
    name: 'Bombo y Platillo',
    symbol: 'BOMBO',
    line: 'La murga entró en Home haciendo el ruido que prometió.',
    text: prose`
      Ganó la ronda 2 por goleada. El lanzamiento tuvo desfile, y el desfile tuvo las cuentas a la vista.`,
    inHours: -60 * 24,
    progress: 100,
    price: 0.0006,
    won: { round: 2, votes: 173 },
    inactive: true,
  },
  {
    name: 'Chiva Parrandera',
    symbol: 'CHIVA',
    line: 'La primera que ganó una ronda: ya va por la portada, con el techo lleno.',
    text: prose`
      Ganó la ronda 1, cuando en Florka cabíamos todos en un bus. El bus era este.`,
    inHours: -74 * 24,
    progress: 100,
    price: 0.0004,
    won: { round: 1, votes: 96 },
    inactive: true,
  },
];
