import { prose } from './text.ts';

export interface DemoPost {
  author: string;
  title: string;
  content: string;
  hoursAgo: number;
  /** Popularity among the members, from 0 to 1. */
  warmth: number;
  /** [author, text], oldest first. */
  comments: [author: string, text: string][];
}

export const RECENT_POSTS: DemoPost[] = [
  {
    author: 'ChispaNorte',
    title: '¿Soy yo o el Cóndor viene volando bajito y rápido?',
    hoursAgo: 3,
    warmth: 0.42,
    content: prose`
      Hace diez días era uno más del montón y ayer juntó más votos que Tía Tarot. Miré el gráfico tres veces pensando
      que era un error.

      ¿Alguien más cambió su voto diario o sólo es que llegó gente nueva?`,
    comments: [
      ['don_efrain', 'Llegó gente nueva. En el grupo de guardaparques compartieron el mapa y se armó la procesión.'],
      [
        'vale.onchain',
        'Yo le voto a los dos, la regla es un voto por candidato al día. No hay que elegir bando, chicos.',
      ],
      ['ElCalesitero', 'La curva es preciosa. Si sigue así, el domingo hay que traer pochoclo.'],
      ['gato_en_zancos', 'El Ajolote mira todo desde arriba y se regenera. Tranquilos.'],
    ],
  },
  {
    author: 'TereTeatrino',
    title: 'Función de lanzamiento del Pulpo: ¿quién se queda despierto?',
    hoursAgo: 6,
    warmth: 0.5,
    content: prose`
      Hoy se abre la puerta. Propongo ronda de mate virtual, lectura del contrato en voz alta y prohibido hablar de
      precio hasta que termine la música.

      Anótense abajo y digan qué traen.`,
    comments: [
      ['Yerbatera', 'Llevo mate y paciencia. Y una lupa para el contrato.'],
      ['nico.cumbia', 'Pongo la música. Una hora de cumbia lenta para que nadie firme apurado.'],
      ['meli.multisig', 'Leo la parte de las llaves, que es mi favorita (sí, tengo favorita).'],
      ['oso_de_trapo', 'Yo traigo sueño, pero estoy.'],
    ],
  },
  {
    author: 'ivan_hash',
    title: 'PSA: read the permission, not the button',
    hoursAgo: 20,
    warmth: 0.38,
    content: prose`
      Three people in my group signed the same thing this week because the button said "Continue". The button can say
      whatever it wants. The permission can not.

      If you are new: take a screenshot and ask here before signing. Nobody will laugh, and if they do, report
      it.`,
    comments: [
      ['FaroDelFin', 'This should be pinned. Lo traduzco al español esta noche y lo dejo aquí mismo.'],
      ['Chaparrita_dev', 'Mi mamá imprimió la carta de Tía Tarot sobre permisos. Está en la heladera, no es broma.'],
      ['TizaYPizarra', 'Lo usé en clase. Los chicos lo entendieron más rápido que yo.'],
    ],
  },
  {
    author: 'malabar_mateo',
    title: 'Mi primer taller con Papalote: fotos, torpezas y un dedo pegado',
    hoursAgo: 31,
    warmth: 0.62,
    content: prose`
      Fui con mi sobrina a la azotea de la colonia. Salimos con dos cometas, una que vuela y una que tiene
      personalidad.

      Lo mejor: el señor que prestó la azotea no sabía nada de tokens y terminó explicándole a otro vecino cómo se ven
      las cuentas del taller.`,
    comments: [
      ['PaulaPapalote', 'El dedo pegado es bautismo obligatorio. ¡Gracias por venir!'],
      ['CometaRamos', '"Una que tiene personalidad" me la quedo para siempre.'],
      ['hermana_luz', 'Esto es lo que le muestro a la gente cuando me pregunta para qué sirve todo esto.'],
    ],
  },
  {
    author: 'RumboSur',
    title: 'Carrusel Austral: respondo dudas antes de que se me enfríe el café',
    hoursAgo: 44,
    warmth: 0.3,
    content: prose`
      Soy parte del grupo que anota los intercambios. Bajamos en la tabla y está bien: preferimos cien votos de gente
      que leyó que mil de gente apurada.

      Pregunten lo que quieran, incluso lo incómodo.`,
    comments: [
      ['BrujulaRota', '¿Qué pasa si alguien promete una hora y no aparece?'],
      [
        'RumboSur',
        'Queda anotado como pendiente y se habla. En dos años pasó cuatro veces, tres se arreglaron con torta.',
      ],
      ['ruth.rueda', '¿Y la cuarta?'],
      ['RumboSur', 'La cuarta se mudó a otra provincia y mandó la torta por encomienda.'],
    ],
  },
  {
    author: 'Sortija_99',
    title: 'Idea: un resumen semanal de la feria en audio',
    hoursAgo: 57,
    warmth: 0.34,
    content: prose`
      Cinco minutos, los lunes: quién subió, quién lanzó, qué se discutió. Sin opiniones de mercado y con un chiste
      malo al final. Puedo editar; me faltan voces.`,
    comments: [
      ['ruidito_blanco', 'Tengo micrófono decente y vecinos silenciosos. Me sumo.'],
      ['coplera_digital', 'Yo pongo el chiste malo. Es lo único que sé hacer.'],
    ],
  },
];
