import type { DemoProject } from './projects-podium.ts';
import { prose } from './text.ts';

export const GRID_PROJECTS: DemoProject[] = [
  {
    name: 'Churro Nocturno',
    symbol: 'CHURRO',
    line: 'Recién salido del aceite a las tres de la mañana: azúcar, canela y cero preventa.',
    text: prose`
      Churro Nocturno abre cuando todo lo demás cierra. La comunidad se junta de madrugada, comparte pantallas y
      revisa contratos ajenos con la paciencia de quien espera la segunda tanda.

      De ahí salió su mejor producto: una lista pública de señales de alerta que ya usan otros seis proyectos. El
      token premia cada revisión firmada y repetible.`,
    cap: '$76.8k',
    holders: 912,
    progress: 55,
    ageDays: 41,
  },
  {
    name: 'Quena',
    symbol: 'QUENA',
    line: 'Aire de altura: grabaciones de campo de los Andes con reparto justo para sus intérpretes.',
    text: prose`
      Quena reúne grabaciones hechas en patios, cerros y fiestas patronales. Cada pista lleva el nombre de quien toca,
      del pueblo y de quien sostuvo el micrófono, y el reparto queda escrito en el contrato.

      No es un sello ni quiere serlo: es una libreta compartida. Los holders eligen la próxima ruta de grabación y
      reciben el cuaderno de viaje completo.`,
    cap: '$68.1k',
    holders: 845,
    progress: 52,
    ageDays: 132,
  },
  {
    name: 'Lotería del Barrio',
    symbol: 'BARAJA',
    line: '¡Corre y se va! Cincuenta y cuatro cartas dibujadas por la comunidad, una por semana.',
    text: prose`
      Cada semana se dibuja una carta nueva: El Validador, La Billetera Fría, El Que Vendió Temprano. La más votada
      entra al mazo y su autora cobra el encargo.

      Cuando el mazo esté completo se imprimirá una edición pequeña y los archivos quedarán libres para que cualquiera
      la imprima en su casa. Van treinta y una cartas y la discusión por El Gallo sigue abierta.`,
    cap: '$54.0k',
    holders: 733,
    progress: 57,
    ageDays: 109,
  },
  {
    name: 'Cempasúchil',
    symbol: 'CEMPA',
    line: 'Un camino de pétalos para recordar a los proyectos que ya no están.',
    text: prose`
      Un altar digital para los tokens que se fueron: qué intentaron, qué salió mal y qué vale la pena rescatar. Cada
      ofrenda es un texto breve con fuentes y enlaces.

      Suena triste y es lo contrario. De tanto contar finales, la comunidad aprendió a reconocerlos antes de tiempo.`,
    cap: '$49.3k',
    holders: 702,
    progress: 49,
    ageDays: 236,
  },
  {
    name: 'Bombo y Platillo',
    symbol: 'BOMBO',
    line: 'Marketing de murga: ruido honesto, presupuesto a la vista y nada de bots.',
    text: prose`
      Bombo y Platillo es una murga que cobra por hacer ruido y cuenta en público cuánto cobró. Si una campaña no
      funcionó, lo dice; si compró algo, muestra el recibo.

      The house rule: no fake followers, no undisclosed shills, no countdowns to nothing. Break it and you are out of
      the parade.`,
    cap: '$44.7k',
    holders: 651,
    progress: 47,
    ageDays: 58,
  },
  {
    name: 'Candombe',
    symbol: 'CANDO',
    line: 'Chico, repique y piano: tres tambores, tres firmas y un tesoro que nadie mueve solo.',
    text: prose`
      La tesorería de Candombe necesita tres firmas, una por tambor, y cada firma la sostiene un barrio distinto.
      Nadie mueve un centavo sin que suene la cuerda completa.

      Con ese fondo se pagan cueros, lonjas y clases abiertas los domingos. Las llamadas se transmiten en vivo y los
      ensayos también, aunque desafinen.`,
    cap: '$39.9k',
    holders: 588,
    progress: 45,
    ageDays: 187,
  },
  {
    name: 'Ronda de Mate',
    symbol: 'RONDA',
    line: 'El que ceba decide el tema: conversaciones largas, sin apuro y sin gráficos.',
    text: prose`
      En la Ronda de Mate nadie habla de precio. Cada tarde alguien ceba, propone un tema y modera: seguridad de
      billeteras, impuestos, diseño, cansancio digital.

      Las charlas se resumen y quedan archivadas con índice. Ya hay más de doscientas, y varias terminaron siendo
      guías que la gente imprime.`,
    cap: '$36.2k',
    holders: 540,
    progress: 43,
    ageDays: 123,
  },
  {
    name: 'Trompo',
    symbol: 'TROMPO',
    line: 'Gira, zumba y no se cae: pruebas de estrés para contratos chiquitos.',
    text: prose`
      Trompo pone a girar contratos pequeños hasta que fallan. Las pruebas son públicas, el informe sale en dos
      idiomas y el equipo evaluado lo recibe una semana antes que todos.

      El token ordena la cola: los holders deciden qué contrato gira después. Ningún proyecto puede pagar para
      saltarse la fila.`,
    cap: '$33.5k',
    holders: 497,
    progress: 41,
    ageDays: 27,
  },
  {
    name: 'Chiva Parrandera',
    symbol: 'CHIVA',
    line: 'El bus de la comunidad: colores, techo lleno y paradas que se votan.',
    text: prose`
      Súbete atrás, que adelante va la música. La Chiva recorre comunidades chicas: una semana en cada una, con
      entrevista, mapa de enlaces y una reseña escrita por quienes viajan.

      Las paradas se votan y el itinerario se publica con un mes de anticipación. Si tu proyecto es honesto y está
      vacío, probablemente te visitemos.`,
    cap: '$29.4k',
    holders: 463,
    progress: 40,
    ageDays: 72,
  },
  {
    name: 'Ñandú Veloz',
    symbol: 'NANDU',
    line: 'Corre más de lo que vuela: pagos entre amigos que se explican con un dibujo.',
    text: prose`
      Ñandú Veloz es una libreta para repartir el asado: quién pagó, quién debe y cómo se salda con un toque. Sin
      comisiones escondidas y con un resumen que se lee de corrido.

      Está pensada para gente que nunca tuvo una billetera. Las palabras raras están prohibidas en la interfaz, y hay
      una abuela en el equipo de pruebas que hace cumplir la regla.`,
    cap: '$26.8k',
    holders: 421,
    progress: 38,
    ageDays: 19,
  },
  {
    name: 'Piñata Digital',
    symbol: 'PINATA',
    line: 'Pégale con ganas: recompensas sorpresa para quien encuentra el bug.',
    text: prose`
      Una piñata colgada es un contrato con premio: el que la rompe cuenta cómo lo hizo y se lleva los dulces. El
      premio y las reglas se fijan antes del primer palazo.

      Twelve piñatas broken so far, twelve write-ups published. La número trece cuelga desde el lunes y nadie le
      acierta.`,
    cap: '$23.1k',
    holders: 388,
    progress: 36,
    ageDays: 49,
  },
  {
    name: 'Farolito',
    symbol: 'FAROL',
    line: 'Una luz chica en la calle oscura: guías de seguridad que caben en una pantalla.',
    text: prose`
      Farolito publica una guía por semana: cómo guardar una frase semilla, cómo leer un permiso antes de firmar, qué
      hacer si ya caíste. Cada una cabe en una pantalla de teléfono.

      Las escriben personas que perdieron algo y no quieren que te pase. El token paga las traducciones y el diseño.`,
    cap: '$19.7k',
    holders: 352,
    progress: 34,
    ageDays: 12,
  },
];
