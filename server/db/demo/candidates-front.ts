import { prose } from './text.ts';

export interface DemoCandidate {
  name: string;
  symbol: string;
  line: string;
  text: string;
  /** Share of the members that vote for it on a day; `from` is 20 days ago, `to` is today. */
  from: number;
  to: number;
  /** First and last day with votes, in days before today. Default: 20 and 0. */
  firstDay?: number;
  lastDay?: number;
  ageDays: number;
  inactive?: boolean;
  /** Omitted: no contract yet, no figures. */
  market?: { price: number; supply: number; volume: number; holders: number; liquidity: number; burnt: number };
}

export const FRONT_CANDIDATES: DemoCandidate[] = [
  {
    name: 'Ajolote Malabarista',
    symbol: 'AJOLO',
    line: 'Regenera lo que se rompe y no se le cae una clava: el favorito del agua dulce.',
    text: prose`
      El ajolote vuelve a crecer lo que pierde y por eso es la mascota perfecta para un fondo de reparación: paga a
      quienes arreglan herramientas libres que usa toda la comunidad.

      Cada arreglo se propone, se revisa entre pares y se paga al fusionarse. Hay un tablero con lo pendiente y otro
      con lo arreglado, que es el que más nos gusta.

      Si gana la ronda, el equipo ya tiene escrita la primera lista de veinte reparaciones y los nombres de quienes
      las harían.`,
    from: 0.33,
    to: 0.64,
    ageDays: 46,
    market: { price: 0.00842, supply: 100_000_000, volume: 48_210, holders: 2310, liquidity: 612, burnt: 4 },
  },
  {
    name: 'Tía Tarot',
    symbol: 'TAROT',
    line: 'Lee tu billetera, no tu futuro: cartas que explican riesgos con cariño y sin rodeos.',
    text: prose`
      La Tía no adivina nada y lo aclara de entrada. Le muestras una transacción, saca tres cartas y te dice en
      cristiano qué estás por firmar, qué permiso das y qué haría ella.

      Detrás hay un motor de reglas abierto y un mazo ilustrado por nueve artistas de la región. Las cartas más
      consultadas se pueden descargar para pegar en la heladera.`,
    from: 0.38,
    to: 0.47,
    ageDays: 52,
    market: { price: 0.0317, supply: 21_000_000, volume: 31_745, holders: 1874, liquidity: 405, burnt: 0 },
  },
  {
    name: 'Cóndor de Papel',
    symbol: 'CONDOR',
    line: 'Origami de altura: sube en la tabla y no mira para abajo.',
    text: prose`
      Un cóndor de papel por cada quinientos árboles plantados y verificados en terreno. El plegado se hace en vivo y
      la verificación la firma una red de guardaparques.

      They launched the map before the token, which says a lot. Puedes ver cada parcela, su foto de hoy y la de hace
      un año.`,
    from: 0.07,
    to: 0.56,
    ageDays: 34,
    market: { price: 0.00119, supply: 500_000_000, volume: 18_402, holders: 1206, liquidity: 288, burnt: 1.5 },
  },
  {
    name: 'Cumbia Protocol',
    symbol: 'CUMBIA',
    line: 'Dos por cuatro, güira y bajo: regalías de fiesta repartidas al terminar la canción.',
    text: prose`
      Cada vez que suena una pista en una fiesta registrada, el reparto sale solo: acordeón, güira, voz y quien prestó
      el patio. Los porcentajes los acuerdan los músicos antes de grabar.

      Hoy participan catorce grupos. La app funciona sin conexión y se pone al día cuando vuelve la señal, porque las
      mejores fiestas son donde no hay.`,
    from: 0.21,
    to: 0.27,
    ageDays: 61,
    market: { price: 0.0049, supply: 77_000_000, volume: 9876, holders: 940, liquidity: 190, burnt: 0 },
  },
  {
    name: 'Algodón Rosa',
    symbol: 'ALGODON',
    line: 'Dulce, liviano y más serio de lo que parece: ahorro en grupo para el fin de año.',
    text: prose`
      La tanda de toda la vida, con turnos sorteados en público y recordatorios amables. Nadie administra el dinero de
      nadie: cada aporte tiene su fecha y su regla.

      El piloto funcionó con ocho grupos de costureras durante cinco meses y ninguna ronda quedó sin pagar.`,
    from: 0.26,
    to: 0.14,
    ageDays: 70,
    market: { price: 0.000213, supply: 1_000_000_000, volume: 4120, holders: 655, liquidity: 96, burnt: 12 },
  },
  {
    name: 'Colibrí Relámpago',
    symbol: 'COLIBRI',
    line: 'Ochenta aleteos por segundo y una sola promesa: avisarte antes de que firmes mal.',
    text: prose`
      Un complemento liviano que mira el permiso que estás por firmar y lo resume en una frase. Si no entiende algo,
      lo dice; si algo huele raro, frena.

      El código ya está publicado y recibió su primera revisión externa. La ronda serviría para pagar la segunda.`,
    from: 0.02,
    to: 0.33,
    firstDay: 9,
    ageDays: 10,
  },
  {
    name: 'Tamal Express',
    symbol: 'TAMAL',
    line: '¡Calientitos! Reparto a domicilio con bicicletas propias y cuentas de todos.',
    text: prose`
      Una cooperativa de reparto con once bicicletas y muchas ganas de no depender de nadie. El token registra turnos,
      votos de asamblea y el fondo para repuestos.

      La primera ruta lleva cuatro meses andando. Falta comprar cajas térmicas y un taller que no esté en el pasillo
      de don Efraín.`,
    from: 0.15,
    to: 0.18,
    ageDays: 39,
    market: { price: 0.0182, supply: 10_000_000, volume: 2310, holders: 412, liquidity: 71, burnt: 0 },
  },
];
