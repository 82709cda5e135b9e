import { REFUND_COINS } from '#contract/text/refund-coins.ts';

/** Built-in texts in Spanish. They say what the program does, and name nobody. */
export const sitePageDefaultsEs = (roundDays: number) => ({
  about: {
    title: 'Qué es Florka',
    body: `Florka es un sitio para descubrir tokens, votar por los que quieres ver lanzados y seguir los próximos lanzamientos. Quien crea un token puede pedirlo y pagarlo aquí.

## Qué puedes hacer
- Sin cuenta: leer todo, guardar tokens en este navegador y preparar o pagar la creación de un token.
- Con cuenta: votar, escribir en el foro y guardar tokens en todos tus dispositivos.

## Quién está detrás
Este es el texto inicial del programa. Quien opera este sitio todavía no ha escrito aquí quién es ni desde dónde trabaja. Tenlo en cuenta antes de pagar nada, y lee el [aviso de riesgo](/risk).

## Qué no hacemos
- No damos consejos de inversión. Que un token aparezca aquí o gane una votación no dice nada de su valor.
- No guardamos tus fondos ni tus claves. Nadie de este sitio te pedirá la clave privada o la frase de recuperación de tu wallet.`,
  },
  'how-voting-works': {
    title: 'Cómo funciona la votación',
    body: `Cada ronda tiene unos candidatos y una fecha de cierre que ves en [la página de votación](/vote). Si no se fija otra cosa, una ronda dura ${roundDays} días.

## Tu voto
- Un voto por cuenta, candidato y día. El día empieza a las 00:00 UTC.
- Puedes votar a varios candidatos el mismo día.
- Puedes retirar el voto de hoy, mientras cuente, y volver a votar, con un límite de veces.
- Donde el sitio envía correos hace falta un correo confirmado para votar, o que el equipo haya confirmado la cuenta, si su operador no lo cambió. [La página de votación](/vote) dice quién vota.

## El recuento
- La clasificación suma los votos de cada candidato y cambia en directo. Quien no gana una ronda conserva sus votos en la siguiente.
- Solo suman los votos contados. La página de cada candidato dice cuántos de la ronda están en revisión y cuántos se anularon.
- El orden es el mismo en todas partes. El orden interno del equipo no lo cambia.
- A igualdad de votos va delante el candidato que llegó antes a ese total; si varios llegaron en el mismo momento, el más antiguo.
- El equipo puede cambiar el nombre de un candidato y quitarlo de la votación; ambas cosas quedan anotadas en el registro interno. El que está oculto o en la papelera cuando se cierra la ronda no está en su resultado.
- El equipo puede reiniciar los votos de un candidato, por ejemplo ante un abuso. Queda anotado en el registro interno.

## Votos que no cuentan
- Un voto que nos parece comprado queda en revisión: no suma hasta que una persona del equipo lo libere o lo anule. Cuántos hay en revisión y anulados se ve en la página de cada candidato. Lo que sigue en revisión cuando se cierra una ronda no cuenta en su resultado.
- Miramos, en general: muchas cuentas nuevas de una misma red, a la vez o a lo largo de unos días; cuentas que varios días votan al mismo candidato en los mismos minutos; cuentas nuevas que tardan casi lo mismo en votar; cuentas antiguas que nunca votaron, creadas juntas o usadas de pronto a la vez; correos desechables; varias cuentas de un mismo buzón y muchas nuevas de un mismo dominio; y ritmos que nadie sigue a mano.
- No rechazamos un voto por el lugar desde el que llega: una oficina o una red móvil puede traer a cientos de personas. Si en un día votan más miembros de una red de los que solemos ver juntos, los votos de quienes llegaron después quedan en revisión, también los de gente honrada.
- Si se cierra la cuenta de un miembro, sus votos de la ronda abierta se anulan. Vuelven a ser lo que eran cuando se abre, si el equipo no decidió otra cosa sobre ellos.
- Quien borra su cuenta retira sus votos: salen de los totales, y los resultados de las rondas cerradas se quedan como están. Los votos de meses antiguos que el sitio solo guarda como sumas siguen contando.
- Los cambios de los votos se anotan en [el libro público](/ledger), con un seudónimo por ronda. [La página del libro](/ledger) dice quién podría reconocer tus votos en él.
- Liberar y anular se puede deshacer, y queda en el registro interno. Para anular hay que escribir un motivo.

## El final
- La ronda termina a su hora según el reloj de la base de datos. Un voto posterior se rechaza.
- Los votos de los últimos segundos pasan antes por la misma revisión, salvo que falle o que el equipo cierre la ronda antes de tiempo. Entonces la clasificación se guarda como está. El primero queda fuera de la ronda siguiente hasta que el equipo lo pasa a [los próximos lanzamientos](/next).
- Si el equipo cierra una ronda antes de tiempo, en el acto, la página de votación dice por qué. También puede adelantar o retrasar la fecha de cierre: para eso no hace falta dar un motivo, y queda anotado en el registro interno.

## El ganador
Ganar no garantiza que el lanzamiento tenga éxito ni que el token valga algo.

## Lo que no podemos prometer
Contamos un voto por cuenta. Ningún sistema puede asegurar que detrás de cada cuenta haya una persona distinta: ponemos límites por cuenta, por red y por buzón, y retenemos los votos que parecen comprados, pero no es una garantía.

Estas formas de comprar votos pasan del todo o en gran parte sin que las encontremos:
- Personas pagadas, cada una con su cuenta.
- Cuentas que ya votaron en otras rondas y ahora votan por quien las compra.
- Cuentas que votan cada día a cualquier hora por un candidato, cada una desde su red.
- Cuentas que se venden a varios candidatos.
- Cuentas nuevas que esperan tiempos muy distintos antes de votar, desde redes y buzones sin relación.
- Programas que se portan como personas, y pocos votos: por debajo de unas cantidades no se retiene ninguno.`,
  },
  prices: {
    title: 'Precios',
    body: `Leer, votar, comentar y guardar tokens es gratis. Se paga por crear un token, una sola vez, con uno de estos planes.

## Cómo se paga
- El precio está en dólares estadounidenses y se paga con criptomonedas, en la página de un proveedor de pagos.
- Las comisiones de la red y del proveedor las dice el proveedor allí.
- Si llega menos de lo que cuesta, el pago queda como parcial. El token no se crea hasta que llegue el resto o el equipo acepte la diferencia.
- Después de pagar no puedes cambiar los datos del token. El equipo puede proponerte otros; el programa solo crea el token con los que confirmes.

## Qué incluye
Cada plan dice lo que incluye. El token lo crea el programa en la red elegida, o el equipo a mano donde el formulario lo dice; los demás servicios los presta el equipo de este sitio. La página de tu pedido dice la fecha de cada uno, o los días tras crear el token, y qué ocurre si no se entrega; el programa solo comprueba en la red los tokens que crea él; lo demás lo dice el equipo.

Un plan no da plaza en la votación ni en los próximos lanzamientos: la decide el equipo. Incluye solo el marketing que nombra. El 80 % para el desarrollador es un acuerdo con el equipo; el programa no reparte nada.

## Devoluciones
El programa no envía dinero: cada devolución la decide y la envía una persona. Si el equipo cierra un pedido pagado sin crear el token, se abre la devolución de lo que haya llegado, salvo que diga por qué no la hay. En la página de tu pedido ves cómo está y escribes la dirección.

Solo se puede abrir la devolución de lo que se pagó en una de estas monedas y redes: ${REFUND_COINS}. Con otra moneda, el equipo dice qué pasa con el dinero.`,
  },
  terms: {
    title: 'Términos de uso',
    body: `Este es el texto inicial del programa. Quien opera este sitio todavía no ha publicado términos propios. Aquí están las reglas que el sitio aplica de hecho.

## Tu cuenta
- Eres responsable de tu contraseña. Puedes activar un segundo paso en [tu cuenta](/account).
- Una cuenta puede ser bloqueada si se usa para abusar del sitio o de otras personas.
- Mientras puedas entrar, puedes descargar tus datos y borrar la cuenta; el último propietario del sitio no puede borrar la suya.

## Lo que escribes
- Lo que publicas en el foro lo ve todo el mundo. Publica solo lo que tengas derecho a publicar.
- La moderación puede ocultar textos. Cualquier miembro puede denunciar uno.

## Crear un token
- Antes de pagar puedes cambiar tus datos; después, no.
- Eres responsable de que el nombre, el símbolo, la imagen y los textos de tu token no infrinjan derechos de nadie ni la ley que te aplique.
- Lo que se escribe en una blockchain no se puede borrar ni deshacer.

## Sin consejo de inversión
Nada de lo que aparece en este sitio es una recomendación de comprar, vender o mantener un criptoactivo. Lee el [aviso de riesgo](/risk).

## Datos de terceros
Los precios y cifras de mercado vienen de otros servicios, con su fuente al lado. Pueden faltar, retrasarse o estar mal.`,
  },
  privacy: {
    title: 'Privacidad',
    body: `Este es el texto inicial del programa: cuenta qué datos guarda el sitio y para qué. Quien lo opera puede completarlo con su identidad y su base legal.

## Qué guardamos
- De tu cuenta: correo, nombre de usuario y una huella de tu contraseña (argon2id), nunca la contraseña; de las wallets con las que entras, su dirección y sus fechas; si los usas, tus passkeys y tu segundo paso.
- De tus sesiones: dirección IP, navegador y fechas, hasta que la sesión termina.
- De lo que haces: votos, posts, comentarios, reacciones, tokens guardados y un registro de actos que no se borra. De lo que se te avisa: avisos y cómo los quieres.
- De un pedido: los datos del token, la wallet, el correo y el Telegram que escribes, y el estado del pago; de una devolución, la dirección que confirmas.
- De una solicitud de publicación: los datos del proyecto, y el nombre y el correo que escribes. De un token que verificas: el dominio o la wallet.
- De la moderación: denuncias, retiradas y recursos. El equipo puede escribir notas sobre una cuenta, que no están en tu descarga.
- Para frenar abusos: tu dirección IP en contadores de corta vida, y como huella con una clave que cambia cada 30 días. Con cada voto, huellas de las redes desde las que llega, con una clave de su ronda que se borra cuando la ronda termina. De quien forma parte del equipo, la dirección IP de sus actos queda en el registro.

## Qué ve todo el mundo
Tu nombre de usuario, lo que escribes en el foro y los distintivos que salen de ello; si no lo ocultas en tu cuenta, también que estás en línea. El resto de tu perfil, solo si lo eliges. Si muestras cuántos días votas y cuántas rondas acertaste, quien vea cómo cambian esas cifras puede deducir a quién votaste. De un token que verificas, el dominio o la wallet. Tu correo no se publica.

Cada cambio de tus votos queda en [el libro público](/ledger) con el candidato, el día, el minuto y un seudónimo distinto en cada ronda, sin tu nombre; los votos de antes del libro pueden compartir uno. Quien sepa en qué momento votaste, o vea el ticket que compartes, puede reconocerlo, y con él los demás de la ronda. Esas líneas no se borran. Pasado un tiempo, los votos de meses antiguos pueden convertirse en sumas por candidato y día: siguen contando, y deja de guardarse quién los dio, salvo en los tickets que guardaste y en sus anotaciones del registro de actos; tu descarga ya no los tiene. Quedan las semanas en las que votaste, sin candidatos.

## Qué queda en tu navegador
- Una cookie de sesión y, tras entrar, otra que recuerda durante medio año que este navegador es conocido; mientras entras, también algunas que duran minutos.
- Si eliges idioma, una cookie que lo recuerda durante un año.
- Tus preferencias, tus borradores, los tokens guardados sin cuenta y las páginas públicas que has visto, para leerlas sin conexión.
- Las claves de los últimos 50 pedidos que abriste aquí, también después de cerrar sesión: en un ordenador compartido, borra los datos del sitio. Y, si compruebas el libro público, hasta dónde lo comprobaste.
- No hay publicidad ni herramientas de seguimiento. Contamos cuántas páginas de cada tipo se ven al día, sin saber de quién son.

## A quién llegan datos
- Al pagar: al proveedor de pagos, en cuya página das tus datos.
- Al recibir correos: al servidor de correo de este sitio.
- Si activas los avisos del navegador: a su servicio de avisos, con el texto cifrado.
- Si vinculas un chat de Telegram: a Telegram, que puede leer tus avisos. Guardamos el número del chat y tu nombre allí hasta que lo desvincules.
- Al crear un token: a la red elegida, donde su wallet y sus datos quedan a la vista de todos.
- Las noticias y los tokens pueden mostrar imágenes de otros servidores, que entonces ven tu dirección IP.
- Los servicios con los que su operador hace funcionar el sitio, como servidores o una caché: lo que pasa por ellos.

## Tus datos son tuyos
En [tu cuenta](/account) puedes descargarlos y borrar la cuenta. Al borrarla se retiran tus votos y tus guardados; los votos de meses antiguos que ya son solo sumas, sin quién los dio, siguen contando; las líneas del libro público quedan, y las claves que unen sus seudónimos contigo se borran, salvo en copias de seguridad anteriores; el registro de actos guarda, ligados a un identificador, el candidato y la hora de los votos que retiraste y de los tickets que guardaste, y con la base de datos se pueden encontrar esas líneas y las demás tuyas de la ronda; como todos tus votos se retiran a la vez, esas líneas muestran qué seudónimos de rondas distintas eran de una misma cuenta, y quien vea que tu nombre cambia en el foro en ese momento puede saber que era la tuya; tus posts y comentarios quedan sin tu nombre, salvo los que esperan una revisión, que se borran, y el registro de actos queda, ligado a un identificador, también con el dominio o la wallet de los tokens que verificaste, cuya verificación termina. Los tokens que empezaste con la cuenta y no llegaste a pedir se borran; los que se empezaron sin cuenta quedan, con lo que se escribió en ellos; los pedidos, sus pagos y tus solicitudes de publicación se conservan. Los correos enviados se borran a los 30 días. Los que no se pudieron enviar quedan hasta que el equipo los envíe o los descarte, o hasta que venza su enlace o su código.`,
  },
  risk: {
    title: 'Aviso de riesgo',
    body: `**Los criptoactivos pueden perder todo su valor.** Puedes perder todo lo que pagues por ellos.

- La mayoría de los tokens nuevos no llega a tener un mercado. Puede que no encuentres a quién venderlos.
- Los precios cambian mucho y deprisa. El precio de ayer no dice nada del de mañana.
- Quienes crearon un token pueden tener una parte grande y venderla cuando quieran.
- Un contrato puede tener fallos. Que haya una auditoría o que gane una votación no lo evita.
- Lo que envías por una blockchain no se puede recuperar. Revisa la red y la dirección antes de enviar.
- Puede que no haya ningún fondo de garantía ni autoridad que te devuelva lo perdido.
- En tu país puede haber impuestos o prohibiciones. Infórmate.

Este sitio no da consejos de inversión y no promete ganancias. No pagues con dinero que no puedas perder.`,
  },
  contact: {
    title: 'Contacto',
    body: `- ¿Una pregunta sobre un pedido? Ábrelo con el enlace que te enviamos por correo: allí están su número y su estado.
- ¿Algo sobre el sitio o un token? Pregunta en el [foro](/forum).
- ¿Un texto que no debería estar? Usa «Denunciar» junto al texto.

Nadie de este sitio te pedirá tu contraseña, tu clave privada o tu frase de recuperación.`,
  },
});
