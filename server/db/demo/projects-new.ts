import type { DemoProject } from './projects-podium.ts';
import { prose } from './text.ts';

/** The newest projects, and two that visitors must not see. */
export const NEW_PROJECTS: DemoProject[] = [
  {
    name: 'Arepa Lunar',
    symbol: 'AREPA',
    line: 'Redonda como debe ser: la despensa común de una comunidad que cocina en vivo.',
    text: prose`
      Los domingos se cocina en directo y el que mira aprende. Las recetas premiadas pasan a un libro abierto con
      medidas de verdad, no de abuela que no las suelta.

      La despensa compra harina para tres comedores y publica las boletas. El resto es chisme, música y una rivalidad
      histórica entre rellenos.`,
    cap: '$16.3k',
    holders: 307,
    progress: 31,
    ageDays: 33,
  },
  {
    name: 'Tambor Costeño',
    symbol: 'TAMBOR',
    line: 'Alegre, llamador y tambora: fiestas pequeñas con cuentas grandes y claras.',
    text: prose`
      Tambor Costeño organiza ruedas de bullerengue en patios prestados. La entrada es libre, el sombrero es digital y
      lo recaudado se reparte la misma noche entre tamboreras y cantadoras.

      Todo queda grabado y anotado: quién tocó, cuánto entró, cuánto salió y qué canción pidió el público dos veces.`,
    cap: '$14.9k',
    holders: 276,
    progress: 29,
    ageDays: 8,
    status: 'approved',
  },
  {
    name: 'Hilos DAO',
    symbol: 'HILOS',
    line: 'Gobernanza con marionetas: cada hilo es un permiso y todos se ven.',
    text: prose`
      En Hilos cada permiso es un hilo de color y el teatrino los muestra todos: quién puede pausar, quién puede
      gastar, quién puede cambiar las reglas. Si un hilo sobra, se corta en asamblea.

      It started as a joke about puppet governance and became a tool that people actually use before joining a
      project.`,
    cap: '$13.2k',
    holders: 241,
    progress: 27,
    ageDays: 4,
    status: 'approved',
  },
  {
    name: 'Tiro al Pato',
    symbol: 'PATO',
    line: 'Puntería y paciencia: un juego de feria con marcador público y premios de peluche.',
    text: prose`
      Diez patitos, un minuto y un marcador que no se puede trampear. La partida se juega en el navegador y el
      resultado se firma con tu billetera sin pagar nada.

      Los premios son peluches de verdad, cosidos por una cooperativa de Cochabamba. Se envían por correo y a veces
      tardan; hay un chat entero dedicado a esperarlos con humor.`,
    cap: '$12.1k',
    holders: 204,
    progress: 24,
    ageDays: 1,
    status: 'approved',
  },
  {
    name: 'Zancos',
    symbol: 'ZANCO',
    line: 'Mirar la feria desde dos metros y medio.',
    text: prose`
      Compañía de zanqueros de Villa El Salvador. Quieren financiar talleres para adolescentes con un token de apoyo.

      Enviado por la propia compañía; a la espera de una segunda lectura.`,
    cap: '$0',
    holders: 7,
    progress: 3,
    ageDays: 3,
    status: 'pending',
  },
  {
    name: 'Ruleta Infinita',
    symbol: 'RULETA',
    line: 'Gana siempre la casa, pero la casa eres tú.',
    text: prose`
      Propuesta de una ruleta con ganancias garantizadas y equipo anónimo.

      No cumple las reglas de la feria: promete rendimientos y no explica de dónde saldrían.`,
    cap: '$0',
    holders: 0,
    progress: 0,
    ageDays: 15,
    status: 'rejected',
  },
];
