import { defineMessages } from '../define-messages.ts';

/** What an operator may want to do, as the search of the back office lists it: its name, and other words that people try for it. */
export const adminTaskTexts = defineMessages({
  es: {
    tasks: {
      supportAddress: {
        name: 'Cambiar el buzón de ayuda',
        words: 'soporte contacto correo email dirección support ticket consulta atención',
      },
      announcement: {
        name: 'Poner un aviso en todas las páginas',
        words: 'banner anuncio banda mensaje programar mañana mantenimiento obras parada',
      },
      voteLimits: { name: 'Cambiar los límites de voto', words: 'votos por minuto día ritmo máximo tope cuántos' },
      roundCalendar: { name: 'Cambiar cuánto dura una ronda', words: 'calendario días hora de cierre siguiente' },
      closeRound: { name: 'Cerrar la ronda antes de tiempo', words: 'terminar acabar votación cierre final' },
      roundEnd: {
        name: 'Mover el final de la ronda',
        words: 'alargar ampliar prolongar aplazar acortar cierre votación plazo fecha hora',
      },
      newCandidate: {
        name: 'Poner un candidato a votación',
        words: 'nueva votación encuesta añadir abrir voto opción token',
      },
      moveLaunch: {
        name: 'Mover la fecha de un lanzamiento',
        words: 'aplazar posponer retrasar reprogramar cuenta atrás NEXT launch hora',
      },
      ledger: {
        name: 'Ver el libro de votos y sus pruebas',
        words: 'ledger prueba firma raíz comprobar ronda recibo registro',
      },
      scheduleNews: { name: 'Programar una noticia', words: 'fecha hora publicar más tarde borrador planificar' },
      previewLink: { name: 'Enviar un enlace de vista previa', words: 'preview compartir borrador noticia colega' },
      projectVersions: {
        name: 'Volver a una versión anterior de un proyecto',
        words: 'restaurar historial versiones deshacer cambios recuperar revertir ayer texto antiguo',
      },
      hideProject: {
        name: 'Retirar un proyecto del sitio y recuperarlo',
        words: 'ocultar esconder archivar despublicar quitar papelera token',
      },
      deleted: {
        name: 'Recuperar lo borrado: «Papelera» encima de su lista',
        words: 'restaurar deshacer eliminado proyecto noticia candidato red',
      },
      replaceImage: {
        name: 'Sustituir una imagen donde se muestre',
        words: 'reemplazar cambiar foto logo en todas partes',
      },
      findPerson: {
        name: 'Buscar a una persona',
        words: 'buzón correo email miembro cuenta usuario mailbox cliente comprador ficha',
      },
      seeAsPerson: { name: 'Ver lo que ve una persona', words: 'ver como suplantar pantalla miembro impersonar' },
      mailFate: {
        name: 'Ver qué fue de un correo, reenviarlo',
        words: 'mail email enviado llegó no reenviar entregado rebotado perdido comprador sin cuenta pedido',
      },
      banMember: {
        name: 'Bloquear a un miembro',
        words: 'ban banear suspender expulsar vetar semana desactivar desbloquear levantar bloqueo desbanear readmitir',
      },
      correctMailbox: {
        name: 'Corregir el buzón de un miembro',
        words: 'correo email e-mail dirección equivocada errónea cambiar editar usuario',
      },
      removeAccount: {
        name: 'Eliminar la cuenta de un miembro',
        words: 'borrar usuario datos personales RGPD GDPR privacidad olvido baja',
      },
      endSessions: { name: 'Cerrar las sesiones de un miembro', words: 'sesión expulsar desconectar robada logout' },
      newUser: { name: 'Crear una cuenta para otra persona', words: 'usuario invitar colega alta añadir nuevo' },
      whoChanged: {
        name: 'Ver quién hizo un cambio',
        words: 'auditoría registro historial log cambió modificó borró precio ajuste',
      },
      giveRole: {
        name: 'Dar una función a un colega',
        words:
          'rol permisos editor moderador soporte finanzas equipo plantilla quitar retirar derechos restringir limitar solo noticias redactor',
      },
      hideText: {
        name: 'Ocultar un texto del foro',
        words: 'post comentario borrar retirar moderar moderación denuncia denunciado spam',
      },
      firstTexts: {
        name: 'Leer los primeros textos y enlaces antes de publicarlos',
        words: 'palabra prohibida bloqueada filtro spam moderación previa cuentas nuevas',
      },
      appeals: { name: 'Responder a un recurso', words: 'apelación apelar reclamación queja retirada' },
      retention: {
        name: 'Cambiar cuánto tiempo se guardan los datos',
        words: 'retención conservar conservación caducidad plazo días borrado avisos copias vistas',
      },
      suspectVotes: {
        name: 'Revisar votos sospechosos',
        words:
          'fraude trampa bots grupo anular liberar multicuentas manipulación comprados retener retenidos retención cuarentena',
      },
      findOrder: { name: 'Buscar un pedido por su número', words: 'orden FL solicitud compra pago token' },
      unpaidOrders: {
        name: 'Ver qué pagos no han llegado',
        words: 'pago fallido falló falta parcial impagado pendiente caducado atascado pedido cobro',
      },
      closeOrder: {
        name: 'Cerrar un pedido, entregado a mano o sin entregar',
        words: 'cerrar anular cancelar reabrir solicitud token compra',
      },
      createToken: {
        name: 'Crear el token de un pedido, ver el firmante',
        words: 'firmar signer cadena red emitir acuñar contrato saldo clave',
      },
      refund: {
        name: 'Devolver dinero',
        words: 'reembolso reembolsar devolución abono refund doble repetido dos veces pago',
      },
      proveDelivery: {
        name: 'Anotar la prueba de una entrega',
        words: 'promesa prometido entregado cumplir evidencia',
      },
      overdueDeliverables: {
        name: 'Ver los entregables atrasados',
        words: 'promesas prometido vencidas vencido atrasadas retraso tarde plazo incumplido',
      },
      unplacedMoney: { name: 'Colocar dinero sin pedido', words: 'sin colocar suelto perdido depósito huérfano pago' },
      compareProvider: {
        name: 'Comparar los cobros con el proveedor',
        words: 'conciliar conciliación cuadrar extracto liquidación diferencias pagos',
      },
      incomeCsv: {
        name: 'Ver y exportar los ingresos y los pagos',
        words:
          'CSV mes semana plan token lanzamiento facturación ventas contabilidad contable gestoría pagos comisiones hoja de cálculo ingreso balance',
      },
      funnel: {
        name: 'Ver dónde abandonan los creadores',
        words: 'embudo idea token asistente wizard conversión pasos create abandono empezaron pagaron empezado pagado',
      },
      visits: {
        name: 'Ver cuántas páginas se muestran',
        words: 'vistas visitas estadísticas analítica tráfico informe',
      },
      returningVoters: {
        name: 'Ver cuántos votantes vuelven',
        words: 'retención cohortes semanas fidelidad estadísticas informe',
      },
      moderationLoad: {
        name: 'Ver la carga de moderación por semana',
        words: 'denuncias ocultados apelaciones decididas revisados estadísticas informe',
      },
      priceNotes: {
        name: 'Escribir una nota junto al precio de un plan',
        words: 'precios tarifa comisión porcentaje planes cuánto cuesta',
      },
      sitePages: {
        name: 'Cambiar los textos legales y las páginas del pie',
        words:
          'términos condiciones privacidad riesgo contacto precios quiénes somos ayuda legal aviso cookies preguntas frecuentes errata corregir texto',
      },
      siteName: {
        name: 'Cambiar el nombre, la marca o los idiomas del sitio',
        words: 'logo logotipo icono título idioma español inglés',
      },
      publicationRequests: {
        name: 'Abrir o cerrar las solicitudes de publicación',
        words: 'parar detener pausar impedir publicaciones publicar proyectos formulario nuevas',
      },
      telegram: { name: 'Configurar el bot de Telegram', words: 'avisos notificaciones token' },
      networkOff: {
        name: 'Desactivar una red',
        words: 'apagar quitar blockchain cadena Solana Ethereum Polygon BNB red redes',
      },
      mailServer: {
        name: 'Configurar el correo',
        words: 'SMTP servidor remitente email mail plantilla bienvenida texto redacción',
      },
      testMail: { name: 'Enviar un correo de prueba', words: 'probar mail email SMTP test' },
      waiting: { name: 'Ver lo que espera a alguien', words: 'bandeja pendiente tareas cola por hacer' },
      overdueMail: {
        name: 'Recibir un correo por lo atrasado de la bandeja',
        words:
          'avisar aviso alerta notificación email plazo vencido recordatorio retraso atrasada tarde informe semanal',
      },
      health: {
        name: 'Comprobar la salud de la instalación',
        words:
          'doctor diagnóstico versión errores base de datos disco estado trabajos colas copia de seguridad respaldo backup todo bien funciona',
      },
      listViews: {
        name: 'Elegir columnas y guardar filtros: encima de cada lista',
        words: 'vistas columna ocultar mostrar filtro guardado marcador orden',
      },
      bulkActions: {
        name: 'Cambiar varias filas a la vez y deshacerlo',
        words: 'masivo lote seleccionar muchas todas casillas',
      },
      exportList: {
        name: 'Exportar una lista como archivo CSV',
        words: 'descargar excel hoja de cálculo pedidos bajar fichero',
      },
      payments: { name: 'Configurar los pagos', words: 'NOWPayments clave proveedor IPN cobrar método forma de pago' },
      mine: {
        name: 'Cambiar mi contraseña o mis llaves',
        words: 'cuenta perfil passkey segundo factor 2FA códigos seguridad',
      },
    },
  },
  en: {
    tasks: {
      supportAddress: {
        name: 'Change the help mailbox',
        words: 'support contact email mail address ticket helpdesk customer service',
      },
      announcement: {
        name: 'Show an announcement on every page',
        words: 'banner notice message schedule tomorrow maintenance downtime',
      },
      voteLimits: { name: 'Change the vote limits', words: 'votes per minute day rate maximum cap' },
      roundCalendar: { name: 'Change how long a round lasts', words: 'calendar days closing hour next' },
      closeRound: { name: 'Close the round early', words: 'end finish stop voting closing' },
      roundEnd: {
        name: 'Move the end of the round',
        words: 'extend prolong postpone shorten later closing voting deadline date hour',
      },
      newCandidate: {
        name: 'Put a candidate to the vote',
        words: 'new voting poll add open option token',
      },
      moveLaunch: {
        name: 'Move the date of a launch',
        words: 'postpone delay reschedule later countdown NEXT hour',
      },
      ledger: { name: 'See the ledger of votes and its proofs', words: 'proof signature root verify round receipt' },
      scheduleNews: { name: 'Schedule a news item', words: 'date time publish later draft plan' },
      previewLink: { name: 'Send a preview link', words: 'share draft news colleague' },
      projectVersions: {
        name: 'Go back to an earlier version of a project',
        words: 'restore history old versions undo changes recover roll rollback revert yesterday previous text',
      },
      hideProject: {
        name: 'Take a project off the site and restore it',
        words: 'hide unpublish archive remove bring back trash token',
      },
      deleted: {
        name: 'Get back something deleted: “Trash” above its list',
        words: 'restore undo undelete removed project news candidate network',
      },
      replaceImage: { name: 'Replace an image wherever it shows', words: 'picture photo logo change everywhere' },
      findPerson: { name: 'Find a person', words: 'mailbox mail email member account user customer client buyer' },
      seeAsPerson: { name: 'See what a person sees', words: 'view as impersonate screen member' },
      mailFate: {
        name: 'See what became of a mail, send it again',
        words: 'email did not arrive arrived resend delivered bounced lost guest buyer without account order',
      },
      banMember: { name: 'Block a member', words: 'ban suspend kick week deactivate unban unblock lift readmit' },
      correctMailbox: {
        name: 'Correct the mailbox of a member',
        words: 'wrong email e-mail mail address change edit typo user',
      },
      removeAccount: {
        name: 'Delete the account of a member',
        words: 'erase remove user personal data GDPR privacy protection forgotten',
      },
      endSessions: { name: 'End the sessions of a member', words: 'sign out logout disconnect stolen' },
      newUser: { name: 'Make an account for somebody else', words: 'user invite colleague add new create' },
      whoChanged: { name: 'See who made a change', words: 'audit log history changed edited deleted price setting' },
      giveRole: {
        name: 'Give a colleague a staff role',
        words:
          'grant assign permissions editor moderator support finance team remove revoke rights restrict limit only news writer',
      },
      hideText: {
        name: 'Hide a text of the forum',
        words: 'post comment delete remove moderate moderation moderator report reported spam abuse',
      },
      firstTexts: {
        name: 'Read first texts and links before they are published',
        words: 'forbidden blocked banned word filter spam moderation review new accounts',
      },
      appeals: { name: 'Answer an appeal', words: 'complaint removal objection' },
      retention: {
        name: 'Change how long data are kept',
        words: 'things retention retain keep expiry days deleted notifications copies',
      },
      suspectVotes: {
        name: 'Review suspicious votes',
        words:
          'fraud cheating bots cluster void release dismiss merge manipulation manipulated bought hold held quarantine network',
      },
      findOrder: { name: 'Find an order by its number', words: 'FL request purchase payment token' },
      unpaidOrders: {
        name: 'See which payments did not arrive',
        words: 'failed missing partial unpaid pending expired stuck order arrived',
      },
      closeOrder: {
        name: 'Close an order, delivered by hand or not delivered',
        words: 'cancel void reopen request token purchase',
      },
      createToken: {
        name: 'Create the token of an order, see the signer',
        words: 'sign make mint chain network contract balance key',
      },
      refund: { name: 'Give money back', words: 'refund repay return double twice repeated payment' },
      proveDelivery: { name: 'Record the proof of a delivery', words: 'promise promised delivered fulfil evidence' },
      overdueDeliverables: {
        name: 'See overdue deliverables',
        words: 'promises promised late delayed missed deadline',
      },
      unplacedMoney: {
        name: 'Place money without an order',
        words: 'unplaced unmatched stray lost deposit orphan payment',
      },
      compareProvider: {
        name: 'Compare what was received with the provider',
        words: 'reconcile reconciliation settlement statement differences payments',
      },
      incomeCsv: {
        name: 'See and export income and payments',
        words:
          'CSV month week plan token launch revenue sales accounting accountant bookkeeping payments earnings spreadsheet turnover',
      },
      funnel: {
        name: 'See where creators drop out',
        words: 'funnel idea token wizard conversion steps create abandon started paid dropped',
      },
      visits: { name: 'See how many pages are shown', words: 'visits analytics statistics traffic views report' },
      returningVoters: {
        name: 'See how many voters return',
        words: 'come retention cohorts weeks loyalty statistics report',
      },
      moderationLoad: {
        name: 'See the moderation load by week',
        words: 'reports hidden appeals decided reviewed statistics',
      },
      priceNotes: {
        name: 'Write a note beside the price of a plan',
        words: 'prices rate fee commission percentage plans cost',
      },
      sitePages: {
        name: 'Change the legal texts and the pages of the footer',
        words: 'terms conditions privacy risk contact prices about FAQ help cookies notice typo wording correct',
      },
      siteName: {
        name: 'Change the name, the mark or the languages of the site',
        words: 'logo brand icon title language Spanish English',
      },
      publicationRequests: {
        name: 'Open or close publication requests',
        words: 'stop pause submissions submit publish projects form new',
      },
      telegram: { name: 'Set up the Telegram bot', words: 'notifications token' },
      networkOff: {
        name: 'Switch a network off',
        words: 'deactivate disable turn blockchain chain Solana Ethereum Polygon BNB networks',
      },
      mailServer: { name: 'Set up mail', words: 'SMTP server sender email template welcome wording text' },
      testMail: { name: 'Send a test mail', words: 'try email SMTP' },
      waiting: { name: 'See what waits for somebody', words: 'inbox pending to do todo tasks queue' },
      overdueMail: {
        name: 'Get a mail about what is overdue in the inbox',
        words: 'alert notify notification email deadline late reminder weekly report',
      },
      health: {
        name: 'Check the health of the installation',
        words: 'doctor diagnosis version errors database disk status jobs queues backups everything fine okay working',
      },
      listViews: {
        name: 'Choose columns and save filters: above each list',
        words: 'views hide show columns saved filter bookmark order',
      },
      bulkActions: {
        name: 'Change several rows at once and undo it',
        words: 'bulk mass batch select many multiple checkboxes',
      },
      exportList: {
        name: 'Export a list as a CSV file',
        words: 'download excel spreadsheet orders',
      },
      payments: { name: 'Set up payments', words: 'NOWPayments key provider IPN charge method' },
      mine: { name: 'Change my password or my passkeys', words: 'account profile second factor 2FA codes security' },
    },
  },
});
