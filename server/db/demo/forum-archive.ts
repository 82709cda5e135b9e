import type { DemoPost } from './forum-posts.ts';
import { prose } from './text.ts';

export const ARCHIVED_POSTS: DemoPost[] = [
  {
    author: 'LechuzaAtenta',
    title: 'Guía rápida para leer la página de un candidato',
    hoursAgo: 82,
    warmth: 0.58,
    content: prose`
      1) Lee el texto completo, no sólo la línea bonita. 2) Mira si hay contrato y si el equipo responde. 3) Compara
      los votos de hoy con los de la semana: un pico aislado cuenta menos que una subida pareja. 4) Si faltan cifras,
      es que todavía no existen; desconfía de quien las invente.

      ¿Qué agregarían?`,
    comments: [
      ['lara.ledger', 'Que los enlaces abran lo que dicen abrir. Parece obvio y no lo es.'],
      ['jaguar_manso', 'Buscar a alguien del equipo en el foro y ver cómo contesta cuando le discuten.'],
      ['SapoDeFeria', 'Guardada. La leo cada vez que me enamoro de un logo.'],
    ],
  },
  {
    author: 'quenero77',
    title: 'Grabamos en Tarata y llovió en la mejor toma',
    hoursAgo: 118,
    warmth: 0.49,
    content: prose`
      Tres días de viaje, una quena prestada y un aguacero justo en el estribillo. La dejamos así: se escucha el techo
      de calamina como si fuera un bombo.

      La pista sale el viernes con el nombre de todos, incluido el perro.`,
    comments: [
      ['tambora_ok', 'Ese techo está más afinado que mi grupo entero.'],
      ['GuitarraRota', '¿El perro firma con huella?'],
      ['quenero77', 'Firma con ladrido, cuarenta y ocho kilohercios.'],
    ],
  },
  {
    author: 'dani_sin_prisa',
    title: 'Unpopular opinion: two launches a month is exactly right',
    hoursAgo: 150,
    warmth: 0.27,
    content: prose`
      Every other place launches something every nine minutes. Here I have time to read, ask, sleep on it and change
      my mind.

      Slow is a feature. Please never "fix" it.`,
    comments: [
      ['agus_pampa', 'De acuerdo. El apuro siempre es de otro.'],
      ['MotoMaria', 'Yo haría tres, pero entiendo el punto. Con cuatro ya me pierdo las rondas de mate.'],
      ['CaracolVeloz', 'Como experto en ir despacio: confirmo.'],
    ],
  },
  {
    author: 'guinda.exe',
    title: 'Perdí la paciencia con una tanda, Algodón Rosa me la devolvió',
    hoursAgo: 196,
    warmth: 0.33,
    content: prose`
      El grupo de mi cuadra se peleaba por quién cobraba primero. Sorteamos los turnos delante de todos, quedaron
      escritos y se terminó la novela.

      No gané nada más que silencio en el chat, que ya es muchísimo.`,
    comments: [
      ['vecina_del_5', 'Confirmo, soy la del turno tres y ahora saludo a todos.'],
      ['CopoDeAzucar', 'Esto es mejor que cualquier campaña.'],
    ],
  },
  {
    author: 'PanchoSatelite',
    title: 'Barrilete Cósmico: el sexto teléfono apareció',
    hoursAgo: 15,
    warmth: 0.7,
    content: prose`
      Lo tenía la vaca, efectivamente. La dueña nos llamó porque el pastizal "sonaba a las siete en punto". La batería
      estaba en dos por ciento y las fotos están enteras.

      Van seis de seis. Gracias a quien dejó el cartel en la ruta.`,
    comments: [
      ['nube_rosa', 'Estoy llorando en el colectivo. Seis de seis.'],
      ['LolaLlamadora', 'La vaca merece un porcentaje.'],
      ['NahuelCodes', 'Propongo a la vaca como jurado de la próxima ronda.'],
      ['PanchoSatelite', 'Se llama Conexión. No es chiste.'],
    ],
  },
  {
    author: 'beto_bloques',
    title: '¿Cómo explican la feria a alguien que no sabe nada?',
    hoursAgo: 260,
    warmth: 0.36,
    content: prose`
      Mi intento: "Es una plaza donde la gente presenta ideas, la comunidad elige una y todos pueden ver las cuentas".
      Mi papá preguntó si había choripán.

      ¿Cuál es la de ustedes?`,
    comments: [
      ['abuela_nodos', '"Un concurso de talentos donde los jueces leen." Funciona con mis nietos.'],
      ['Pochoclo', 'La pregunta del choripán es legítima y exijo respuesta oficial.'],
      ['OctavioTitere', '"Títeres, pero los hilos se ven." Después ya preguntan ellos.'],
    ],
  },
];
