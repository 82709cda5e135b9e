import type { Tx } from '#server/db/client.ts';
import { news } from '#server/db/tables/news.ts';
import { idOf } from './random.ts';
import { daysBefore, prose } from './text.ts';

interface DemoNews {
  title: string;
  author: string;
  ageDays: number;
  content: string;
}

const ITEMS: DemoNews[] = [
  {
    title: 'La ronda 7 está abierta: catorce candidatos y una sola corona',
    author: 'Equipo Florka',
    ageDays: 5.8,
    content: prose`
      Se encendieron las luces. **Catorce candidatos** ya están en la pista y cada miembro tiene *un voto por
      candidato y por día* hasta que cierre la taquilla.

      El tablero muestra los votos en vivo y la página de cada candidato dibuja su historia día por día. Si es tu
      primera feria, en «Cómo se vota», al pie de cada página, está la regla entera.

      Que gane el mejor títere. Los votos de hoy y los de cada día quedan a la vista de todos.`,
  },
  {
    title: 'Pulpo Titiritero gana la ronda 6 con sus ocho brazos',
    author: 'Marina Cuerdas',
    ageDays: 6.1,
    content: prose`
      Fue una ronda de quince días bien peleada: *tres candidatos* la cerraron con más de cuatrocientos votos, y la plaza
      fue una tribuna.

      **Pulpo Titiritero** camina ahora hacia la puerta de lanzamiento. Su equipo dice que ya tiene escritos el
      reparto y el contrato.

      Gracias a las demás compañías: varias ya anunciaron que vuelven en la próxima ronda.`,
  },
  {
    title: 'Tren Fantasma salió de la estación sin sobresaltos (técnicos)',
    author: 'Equipo Florka',
    ageDays: 0.9,
    content: prose`
      Sustos hubo, pero sólo en los vagones. El equipo de **Tren Fantasma** dice que salió a la hora anunciada,
      con el vagón lleno y sin un solo cable quemado.

      Ahora toca limpiar los vagones y pensar en *lo que harían distinto*.`,
  },
  {
    title: 'Seguridad: cinco cosas que Florka jamás te va a pedir',
    author: 'Tomás Farol',
    ageDays: 12.3,
    content: prose`
      **Uno:** tu frase semilla. **Dos:** tu contraseña por mensaje privado. **Tres:** un depósito para "activar" un
      voto. **Cuatro:** que instales algo para votar. **Cinco:** que te apures.

      Si alguien te lo pide en nuestro nombre, *no es nuestro nombre*. Denuncia el mensaje en el foro: cada post
      tiene su botón.

      Compartir esto con quien recién llega vale más que cualquier cartel.`,
  },
  {
    title: 'Meet the makers: the kite workshop behind Papalote',
    author: 'Inés Azotea',
    ageDays: 20.5,
    content: prose`
      We climbed forty-two steps to a rooftop in Oaxaca to meet the people who turned bamboo and tissue paper into
      **one of the most loved projects of the fair**.

      They talk about wind the way other teams talk about liquidity: *you do not control it, you prepare for it*.
      Their next goal is a free manual with printable patterns.

      You find them on the home page, and their makers in the forum.`,
  },
  {
    title: 'Así elegimos a quién sube al escenario',
    author: 'Equipo Florka',
    ageDays: 33.7,
    content: prose`
      Cada solicitud la lee *una persona*. Lo que llega se puede aceptar o rechazar, y quien la envió ve la
      respuesta en su página privada.

      **No queremos** nada que prometa rendimientos, copie la marca de otro o esconda quién guarda las llaves. Un
      rechazo no cierra la puerta: se puede enviar otra solicitud.`,
  },
];

export async function seedNews(tx: Tx, now: Date): Promise<void> {
  await tx.insert(news).values(
    ITEMS.map((item) => {
      const publishedAt = daysBefore(now, item.ageDays);
      return {
        id: idOf(`news ${item.title}`),
        title: item.title,
        content: item.content,
        authorName: item.author,
        isActive: true,
        publishedAt,
        createdAt: publishedAt,
        updatedAt: publishedAt,
      };
    }),
  );
}
