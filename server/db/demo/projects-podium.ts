import { prose } from './text.ts';

export interface DemoProject {
  name: string;
  symbol: string;
  line: string;
  text: string;
  cap: string;
  holders: number;
  progress: number;
  ageDays: number;
  /** Default: 999, no position of its own. */
  place?: number;
  /** Default: 'published_home'. */
  status?: 'approved' | 'pending' | 'rejected';
}

/** The podium and the projects with a position of their own. */
export const PLACED_PROJECTS: DemoProject[] = [
  {
    name: 'Títere Real',
    symbol: 'TITERE',
    line: 'La corona de la feria: un títere que reparte el micrófono entre sus holders.',
    text: prose`
      Títere Real nació antes de la primera ronda con una idea sencilla: el que mueve los hilos es el público. Cada
      jueves los holders proponen un guion de treinta segundos y el más votado se convierte en la pieza animada de la
      semana.

      El equipo cedió las llaves del contrato el mismo día del lanzamiento y publica sus cuentas cada mes en su web:
      lo que se gasta en animadores, en música y en los premios de los guionistas. Sin letra chica.

      Hoy hay más de sesenta episodios hechos por la comunidad, un archivo abierto de marionetas para remezclar y una
      cuadrilla de voluntarios que traduce los subtítulos al quechua, al portugués y al inglés.`,
    cap: '$1.4M',
    holders: 8412,
    progress: 100,
    ageDays: 171,
    place: 1,
  },
  {
    name: 'Calesita',
    symbol: 'VUELTA',
    line: 'Una vuelta más: comisiones que giran y vuelven al pozo de los que sostienen la plaza.',
    text: prose`
      En toda plaza hay una calesita y un calesitero que esconde la sortija. Aquí la sortija es un sorteo semanal
      entre quienes ayudaron a otros en el canal de soporte: se anota la ayuda, no el saldo.

      La mecánica está escrita en una página y media, fue revisada por dos equipos independientes de la comunidad y no
      cambió desde el día uno. La liquidez quedó bloqueada y el comprobante está enlazado en la web.`,
    cap: '$862.5k',
    holders: 5230,
    progress: 94,
    ageDays: 142,
    place: 2,
  },
  {
    name: 'Papalote',
    symbol: 'VIENTO',
    line: 'Suelta hilo: el token de los talleres de cometas que suben desde la azotea.',
    text: prose`
      Papalote financia talleres de cometas en barrios sin parque. Cada mes se publica el mapa de azoteas que
      participan, con fotos y con los recibos de papel, bambú e hilo.

      The crew is small and very online: a kite maker from Oaxaca, two devs from Valparaíso and a treasurer who
      answers every question, including the uncomfortable ones.

      El próximo objetivo es un manual libre, con patrones para imprimir en casa, para que cualquiera arme su propio
      taller sin pedirle permiso a nadie.`,
    cap: '$517.9k',
    holders: 3874,
    progress: 88,
    ageDays: 118,
    place: 3,
  },
  {
    name: 'Guiñol',
    symbol: 'GUINOL',
    line: 'Sátira diaria del mercado en teatrino de cartón. Nadie se salva, ni el dev.',
    text: prose`
      Guiñol es un noticiero de títeres: tres minutos al día para contar lo que pasó en la cadena sin humo y con
      bastante mala leche. Los holders votan el tema y el personaje que recibe los garrotazos.

      El fondo común paga a guionistas y titiriteros por pieza entregada, nunca por adelantado. Todo el material sale
      con licencia libre al cumplir siete días.`,
    cap: '$241.3k',
    holders: 2119,
    progress: 79,
    ageDays: 96,
    place: 4,
  },
  {
    name: 'Alebrije Club',
    symbol: 'ALEBRI',
    line: 'Bichos imposibles tallados en código: cada holder tiene el suyo y ninguno se repite.',
    text: prose`
      Un alebrije es un sueño con patas de gallo, alas de murciélago y lomo de iguana. El club genera uno a partir de
      la dirección de cada holder y lo deja libre para estampar, tallar o tatuar.

      Las artesanas que pintan las piezas físicas reciben el encargo directamente, sin intermediarios, y firman cada
      una con su nombre. El taller abre sus puertas por video los sábados.

      No hay rareza comprada ni lista blanca: el bicho que te toca es el que te toca.`,
    cap: '$198.0k',
    holders: 1986,
    progress: 74,
    ageDays: 203,
    place: 5,
  },
  {
    name: 'Luchador Dorado',
    symbol: 'MASCARA',
    line: 'Máscara contra cabellera, dos de tres caídas y una comunidad que no suelta la cuerda.',
    text: prose`
      Rudos y técnicos eligen bando al entrar. Cada quincena hay función: retos de diseño, de código y de memes, con
      un jurado sorteado entre los holders que no compiten.

      La bolsa de cada función se conoce antes de la primera caída y el reparto se publica al terminar. El que pierde
      la máscara cuenta su historia en público; es la tradición más querida de la casa.`,
    cap: '$155.7k',
    holders: 1742,
    progress: 71,
    ageDays: 88,
    place: 6,
  },
  {
    name: 'Rueda de la Fortuna',
    symbol: 'RUEDA',
    line: 'La vista desde arriba: un panel abierto que explica la cadena a quien recién llega.',
    text: prose`
      Rueda de la Fortuna es, antes que nada, una herramienta: un panel que traduce movimientos de la cadena a frases
      que entiende tu tía. El token paga los servidores y a quienes escriben las explicaciones.

      Everything is open source and the roadmap is a public list of issues. If a metric is confusing, open one and
      somebody will rewrite it in plain Spanish within the week.

      El equipo no promete rendimientos y lo repite en cada pantalla: aquí se viene a mirar el paisaje con calma.`,
    cap: '$121.6k',
    holders: 1390,
    progress: 66,
    ageDays: 64,
    place: 7,
  },
  {
    name: 'Organillero',
    symbol: 'ORGANI',
    line: 'Música de manivela para la cadena: cilindros digitales que cualquiera puede perforar.',
    text: prose`
      Cada cilindro es una melodía corta que se graba una sola vez. Organillero guarda las partituras, reparte los
      créditos entre quienes las compusieron y deja que la calle las toque gratis.

      Once organilleros de Ciudad de México, Santiago y Buenos Aires ayudaron a digitalizar sus repertorios. Una parte
      del fondo repara instrumentos centenarios, con factura y foto del antes y el después.`,
    cap: '$97.2k',
    holders: 1105,
    progress: 61,
    ageDays: 151,
    place: 8,
  },
  {
    name: 'Carpa Azul',
    symbol: 'CARPA',
    line: 'Un circo de barrio que reparte la taquilla entre los que montan y desmontan.',
    text: prose`
      Carpa Azul empezó como un grupo de chat de malabaristas y terminó con contrato, tesorería y asamblea mensual. El
      que trabaja una función cobra su parte esa misma noche.

      Las decisiones grandes pasan por votación y las chicas por confianza. Hay una cuenta pública donde se ve cada
      gasto, desde la lona nueva hasta los bizcochos del ensayo.`,
    cap: '$83.4k',
    holders: 964,
    progress: 58,
    ageDays: 77,
    place: 9,
  },
];
