import { RECEIPTS_SHOWN } from '#contract/limits.ts';
import { integer } from '../format/format.ts';
import { defineMessages } from './define-messages.ts';

export const ledgerTexts = defineMessages({
  es: {
    ledger: {
      title: 'Libro de votos · Florka',
      description: 'El libro público de los votos de Florka: cualquiera puede volver a contarlos.',
      heading: 'El libro de los votos',
      lead: 'Los cambios de los votos se anotan en este libro, uno por línea, salvo lo que se dice abajo. El programa no borra ni cambia ninguna línea, y cualquiera puede leerlo entero y contar otra vez.',
      how: 'Cómo funciona',
      steps: [
        {
          title: 'Cada voto es una línea',
          text: 'Dice el candidato, el día UTC, la ronda, el estado y el minuto del voto, con un seudónimo distinto en cada ronda; los votos de antes del libro pueden compartir uno. Ni nombre, ni correo, ni dirección.',
        },
        {
          title: 'Las líneas forman un árbol',
          text: 'De cada dos huellas sale otra, hasta una sola arriba: la raíz. Si cambia una sola línea, cambia la raíz.',
        },
        {
          title: 'La raíz se firma',
          text: 'Firmamos la raíz después de los cambios: casi siempre en segundos, más tarde mientras votan muchos. Quien guardó una anterior puede comprobar que la nueva la continúa.',
        },
      ],
      picture:
        'Dibujo de un árbol: cuatro votos abajo, sus huellas de dos en dos, y arriba la raíz firmada. El camino de un voto hasta la raíz está marcado.',
      pictureVote: 'voto',
      pictureRoot: 'raíz firmada',
      checkpoint: 'Último punto firmado',
      size: 'Líneas',
      root: 'Raíz',
      key: 'Clave pública',
      signedAt: 'Firmado',
      waiting: (count: number) =>
        count === 0
          ? 'No hay cambios pendientes.'
          : count === 1
            ? 'Un cambio espera su línea.'
            : `${integer(count, 'es')} cambios esperan su línea.`,
      none: 'El libro aún no tiene ninguna firma',
      noneHint: 'La primera llega a los pocos segundos del arranque.',
      halted: 'Este libro está detenido: no se firma nada',
      haltedWhy: {
        'rolled-back':
          'La base de datos de este sitio no continúa lo que ya se había publicado. Los votos siguen contando aquí, pero no entran en el libro: seguir firmando contradiría lo firmado.',
        'unknown-past':
          'Este sitio se restauró, se copió o cambió de lugar, y no sabe qué fue lo último que publicó. Hasta que su operador lo diga no se firma nada; los votos siguen contando.',
        'other-key': 'La clave de este sitio no es la del libro. Los votos siguen contando, pero no se firma nada.',
      },
      error: 'No se pudo leer el estado del libro',
      retry: 'Reintentar',
      loading: 'Cargando el libro...',
      copyRoot: 'Copiar la raíz',
      copyKey: 'Copiar la clave',
      copied: 'Copiado',
      witness: 'Testigo',
      witnessLead:
        'Un programa de otra persona que solo firma si el libro continúa el que ya vio. Sin él, quien tiene todas las claves podría enseñar un libro distinto a cada cual.',
      witnessRecent: 'firma ahora',
      witnessNone: 'sin testigo',
      witnessSaid: (name: string, size: number) => `${name} firmó un libro de ${integer(size, 'es')} líneas`,
      witnessNever: (name: string) => `${name} aún no ha firmado`,
      witnessUnset: 'Este sitio no tiene testigo configurado.',
      check: 'Compruébalo tú',
      checkLead:
        'Tu navegador lee todas las líneas, rehace el árbol, cuenta cada día y cada ronda y comprueba las firmas. Todo se calcula aquí.',
      checkAction: 'Comprobar ahora',
      checking: 'Comprobando...',
      progress: (done: number, size: number) => `${integer(done, 'es')} de ${integer(size, 'es')} líneas`,
      checkFailed: 'No se pudo leer el libro entero',
      inOrder: 'Todo está en orden',
      inOrderText: (size: number, counted: number, seen: number) =>
        `${size === 1 ? '1 línea' : `${integer(size, 'es')} líneas`}, ${counted === 1 ? '1 voto contado' : `${integer(counted, 'es')} votos contados`}. ${seen === 0 ? 'Este navegador lo recuerda desde ahora.' : seen === 1 ? 'Continúa el punto que este navegador ya había visto.' : `Continúa los ${seen} puntos que este navegador ya había visto.`}`,
      notInOrder: 'Este libro no está en orden',
      notInOrderText: 'Guarda esta página y avisa: lo que sigue es lo que el verificador encontró.',
      receiptsFound: (found: number, newest: number) => {
        if (newest === 1) return 'Tu recibo está en el libro.';
        if (found === newest) return `Los recibos de tus ${newest} votos más recientes están en el libro.`;
        return found === 1
          ? `El recibo de uno de tus ${newest} votos más recientes está en el libro.`
          : `Los recibos de ${found} de tus ${newest} votos más recientes están en el libro.`;
      },
      withoutLine: (count: number) =>
        count === 1
          ? 'Uno de tus votos más recientes aún no tiene una línea firmada. Si sigue así, pregunta por qué.'
          : `${count} de tus votos más recientes aún no tienen una línea firmada. Si siguen así, pregunta por qué.`,
      winners: 'Rondas contadas aquí',
      winner: (round: number, name: string, votes: number) =>
        `Ronda ${round}: gana ${name} con ${votes === 1 ? '1 voto' : `${integer(votes, 'es')} votos`}`,
      unstated: (rounds: readonly number[]) =>
        `Rondas con votos y sin resultado en el libro: ${rounds.join(', ')}. La que está abierta aún no puede tenerlo, y la que se cerró sin ningún candidato en competición no lo tiene; si es otra, pregunta por qué.`,
      days: 'Días contados aquí',
      command: 'O con un programa, en tu ordenador',
      commandText:
        'Con --memory guarda los puntos firmados que continúan los que vio y compara los siguientes con ellos.',
      results: 'Resultados firmados',
      resultsEmpty: 'Todavía no hay ninguno: el primero llega al terminar una ronda, o un día UTC con votos.',
      resultOf: (of: string) => (of.startsWith('round/') ? `Ronda ${of.slice(6)}` : of.slice(4)),
      mine: 'Tus votos y sus recibos',
      mineLead:
        'Un recibo prueba que tu voto está en el libro. Guárdalo: el sitio solo te lo da a ti, y solo mientras exista tu voto.',
      minePrompt: 'Entra en tu cuenta para ver los recibos de tus votos.',
      mineAction: 'Entrar',
      mineEmpty: 'Todavía no has votado.',
      mineVote: 'Ir a votar',
      mineError: 'No se pudieron cargar tus votos',
      mineOlder: 'Ver votos anteriores',
      mineLoading: 'Cargando tus votos...',
      state: { counted: 'contado', under_review: 'en revisión', void: 'anulado' },
      leaf: (leaf: number) => `línea ${integer(leaf, 'es')}`,
      leafWaits: 'espera su línea',
      receipt: 'Descargar recibo',
      receiptOf: (name: string, day: string) => `Descargar el recibo del voto por ${name} del ${day}`,
      receiptFailed: 'No se pudo descargar el recibo',
      promises: 'Qué se promete y qué no',
      promised: 'Se promete',
      promisedPoints: [
        'Quien guardó un punto firmado descubre si después cambió, faltó o se coló una línea anterior a él.',
        'Cualquiera descubre un resultado firmado de un día o una ronda que no sale de las líneas: en los votos, en el ganador o en el orden, salvo entre totales iguales alcanzados en el mismo minuto.',
        'Un recibo cuya línea ya no está en el libro prueba que el libro se reescribió.',
        'Si la base de datos vuelve a una copia antigua, este sitio deja de firmar, mientras fuera de ella quede el último punto: en su disco, en su almacén de archivos o en un testigo que responda. Después de restaurarlo, que diga la verdad sobre lo último publicado depende de su operador.',
      ],
      notPromised: 'No se promete',
      notPromisedPoints: [
        'Que detrás de cada seudónimo haya una persona distinta: quien dirige el sitio podría inventar miembros y votos.',
        'Que se anote un voto cuyo votante no mira su recibo, ni uno que llegó a una versión anterior del programa durante una actualización. Tampoco que una revisión o una anulación sean justas, ni que se encuentre cada voto comprado: la página de la votación dice cuáles no.',
        'Qué token es cada candidato, ni cuáles participan: las líneas llevan un identificador, sin nombre, y el equipo puede cambiar el nombre de un candidato con votos. El que está oculto o en la papelera cuando se cierra la ronda no está en su resultado. Las líneas tampoco dicen si se movió el final de la ronda.',
        'Que se pueda comprobar cuál de dos totales iguales alcanzados en el mismo minuto va delante o gana: las líneas dicen el minuto, y el resultado firmado momentos más exactos.',
        'Sin testigo, que todos vean el mismo libro: quien tiene todas las claves podría enseñar dos. Se descubre comparando puntos. Un testigo de la misma persona que el sitio no cambia nada.',
        'Que nadie adivine un voto: quien observe el libro en directo y sepa en qué momento votaste puede reconocer tu línea, y con ella las demás tuyas de la ronda. También quien vea el ticket que compartes: lleva el número de tu voto. Y quien mire cómo cambian las cifras de tus votos, si las muestras en tu página pública.',
        'Que tus seudónimos de rondas distintas sigan separados si borras tu cuenta: todos tus votos se retiran a la vez, en líneas seguidas. Tu nombre cambia en el foro en ese momento: quien lo observe puede saber que eran tuyos.',
        'Que el botón de esta página compruebe a un sitio que engaña: su programa lo sirve el mismo sitio. Quien lo dude usa uno de los dos programas de arriba, en una copia de otra procedencia.',
      ],
      account: 'Recibos de tus votos',
      accountLead: `De tus ${RECEIPTS_SHOWN} votos más recientes, en el libro público de los votos.`,
      accountAction: 'Ver mis recibos',
    },
  },
  en: {
    ledger: {
      title: 'Ledger of votes · Florka',
      description: 'The public ledger of votes on Florka: anybody can count them again.',
      heading: 'The ledger of votes',
      lead: 'Changes of votes are entered into this ledger, one line each, except as said below. The program removes and changes no line, and anybody can read all of it and count again.',
      how: 'How it works',
      steps: [
        {
          title: 'Every vote is a line',
          text: 'It contains the candidate, UTC day, round, state and the minute of the vote, with another pseudonym in each round; votes from before the ledger may share one. No name, no mail, no address.',
        },
        {
          title: 'The lines form a tree',
          text: 'Each pair of hashes is hashed again, up to a single one: the root. When one line changes, the root changes.',
        },
        {
          title: 'The root is signed',
          text: 'We sign the root after the changes: nearly always within seconds, later while many vote. Whoever kept an earlier one can check that the new one continues it.',
        },
      ],
      picture:
        'Drawing of a tree: four votes at the bottom, their hashes two by two, and the signed root on top. The way of one vote to the root is marked.',
      pictureVote: 'vote',
      pictureRoot: 'signed root',
      checkpoint: 'Latest checkpoint',
      size: 'Lines',
      root: 'Root',
      key: 'Public key',
      signedAt: 'Signed',
      waiting: (count: number) =>
        count === 0
          ? 'No changes are waiting.'
          : count === 1
            ? 'One change is waiting for its line.'
            : `${integer(count, 'en')} changes are waiting for their lines.`,
      none: 'The ledger has no signature yet',
      noneHint: 'The first one comes a few seconds after the start.',
      halted: 'This ledger has stopped: nothing is signed',
      haltedWhy: {
        'rolled-back':
          'The database of this site does not continue what was published. Votes still count here, but do not enter the ledger: going on signing would contradict what was signed.',
        'unknown-past':
          'This site was restored, copied or moved, and does not know what it published last. Until its operator says so nothing is signed; votes still count.',
        'other-key': "This site's key is not that of the ledger. Votes still count, but nothing is signed.",
      },
      error: 'The state of the ledger could not be read',
      retry: 'Try again',
      loading: 'Loading the ledger...',
      copyRoot: 'Copy the root',
      copyKey: 'Copy the key',
      copied: 'Copied',
      witness: 'Witness',
      witnessLead:
        'A program of somebody else that signs only when the ledger continues the one it saw. Without it, whoever has all keys could show everybody another ledger.',
      witnessRecent: 'signing now',
      witnessNone: 'no witness',
      witnessSaid: (name: string, size: number) => `${name} signed a ledger of ${integer(size, 'en')} lines`,
      witnessNever: (name: string) => `${name} has not signed yet`,
      witnessUnset: 'This site has no witness configured.',
      check: 'Check it yourself',
      checkLead:
        'Your browser reads every line, builds the tree again, counts each day and round and checks the signatures. All of it is computed here.',
      checkAction: 'Check now',
      checking: 'Checking...',
      progress: (done: number, size: number) => `${integer(done, 'en')} of ${integer(size, 'en')} lines`,
      checkFailed: 'The whole ledger could not be read',
      inOrder: 'All is in order',
      inOrderText: (size: number, counted: number, seen: number) =>
        `${size === 1 ? '1 line' : `${integer(size, 'en')} lines`}, ${counted === 1 ? '1 counted vote' : `${integer(counted, 'en')} counted votes`}. ${seen === 0 ? 'This browser remembers it from now on.' : seen === 1 ? 'It continues the checkpoint that this browser had seen.' : `It continues the ${seen} checkpoints that this browser had seen.`}`,
      notInOrder: 'This ledger is not in order',
      notInOrderText: 'Keep this page and tell somebody: what follows is what the verifier found.',
      receiptsFound: (found, newest) => {
        if (newest === 1) return 'Your receipt is in the ledger.';
        if (found === newest) return `The receipts of your ${newest} newest votes are in the ledger.`;
        return found === 1
          ? `The receipt of one of your ${newest} newest votes is in the ledger.`
          : `The receipts of ${found} of your ${newest} newest votes are in the ledger.`;
      },
      withoutLine: (count) =>
        count === 1
          ? 'One of your newest votes has no signed line yet. If that stays so, ask why.'
          : `${count} of your newest votes have no signed line yet. If that stays so, ask why.`,
      winners: 'Rounds counted here',
      winner: (round: number, name: string, votes: number) =>
        `Round ${round}: ${name} won with ${votes === 1 ? '1 vote' : `${integer(votes, 'en')} votes`}`,
      unstated: (rounds) =>
        `Rounds with votes and without a result in the ledger: ${rounds.join(', ')}. The open one can't have it yet, and one that was closed without any competing candidate has none; if it is another, ask why.`,
      days: 'Days counted here',
      command: 'Or with a program, on your computer',
      commandText:
        'With --memory it keeps the signed checkpoints that continue those it saw, and compares the next ones with them.',
      results: 'Signed results',
      resultsEmpty: 'There is none yet: the first comes when a round ends, or a UTC day with votes.',
      resultOf: (of: string) => (of.startsWith('round/') ? `Round ${of.slice(6)}` : of.slice(4)),
      mine: 'Your votes and their receipts',
      mineLead:
        'A receipt proves that your vote is in the ledger. Keep it: the site gives it to you only, and only while your vote exists.',
      minePrompt: 'Sign in to see the receipts of your votes.',
      mineAction: 'Sign in',
      mineEmpty: 'You have not voted yet.',
      mineVote: 'Go and vote',
      mineError: 'Your votes could not be loaded',
      mineOlder: 'Show older votes',
      mineLoading: 'Loading your votes...',
      state: { counted: 'counted', under_review: 'under review', void: 'void' },
      leaf: (leaf: number) => `line ${integer(leaf, 'en')}`,
      leafWaits: 'waits for its line',
      receipt: 'Download receipt',
      receiptOf: (name: string, day: string) => `Download the receipt of the vote for ${name} on ${day}`,
      receiptFailed: 'The receipt could not be downloaded',
      promises: 'What is promised, and what is not',
      promised: 'Promised',
      promisedPoints: [
        'Whoever kept a signed checkpoint finds out when a line before it was changed, removed or slipped in afterwards.',
        'Anybody finds a signed result of a day or round that does not follow from the lines: in its votes, its winner or its order, except between equal totals that were reached in the same minute.',
        'A receipt whose line is not in the ledger any more proves that the ledger was rewritten.',
        'When the database goes back to an old copy, this site stops signing, as long as the last checkpoint is left outside of it: on its disk, in its file storage or at a witness that responds. After a restore it is up to its operator to tell the truth about what was published last.',
      ],
      notPromised: 'Not promised',
      notPromisedPoints: [
        'That there is another person behind each pseudonym: whoever runs the site could make members and votes up.',
        'That a vote is entered whose voter does not look at the receipt, or one that reached a former version of the program during an upgrade. Nor that a review or a voiding is fair, or that every bought vote is found: the page about voting names those that are not.',
        'Which token a candidate is, or which ones take part: lines have an id without a name, and the team can change the name of a candidate with votes. One that is hidden or in the trash when the round is closed is not in its result. Lines do not say either whether the end of the round was moved.',
        'That anybody can check which of two equal totals that were reached in the same minute comes first or wins: lines contain the minute, and the signed result more exact moments.',
        'Without a witness, that everybody sees the same ledger: whoever has all keys could show two. Comparing checkpoints shows it. A witness of the person who runs the site changes nothing.',
        'That nobody guesses a vote: whoever watches the ledger live, and knows at which moment you voted, may recognize your line, and with it your others of the round. So may whoever sees the ticket that you share: it has the number of your vote. And whoever watches the numbers of your votes change, if you show them on your public page.',
        'That your pseudonyms of different rounds stay apart when you delete your account: all your votes are withdrawn at once, in consecutive lines. Your name changes in the forum at that moment: whoever watches may know that they were yours.',
        'That the button on this page checks a site that deceives: its program is served by that same site. Whoever doubts it uses one of the two programs above, in a copy from elsewhere.',
      ],
      account: 'Receipts of your votes',
      accountLead: `Of your ${RECEIPTS_SHOWN} newest votes, in the public ledger of votes.`,
      accountAction: 'See my receipts',
    },
  },
});
