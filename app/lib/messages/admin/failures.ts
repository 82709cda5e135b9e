import type { ErrorCode } from '#contract/errors.ts';
import type { Catalogue } from '../es.ts';

/** What every page has words for. */
type Common = keyof Catalogue['failure'];
/** Every failure of the contract has words, here or in the texts of every page. */
type AdminFailures = Record<Exclude<ErrorCode, Common>, string>;

/** Refusals that only the back office meets; visitors do not load their words. */
const adminFailures: Readonly<Record<'es' | 'en', AdminFailures>> = {
  es: {
    ADMINS_ALONE: 'Los administradores cambian de uno en uno: hazlo en su fila.',
    STAFF_ROLE_NEEDED: 'Esto no es parte de tus funciones en el equipo.',
    SETTING_FIXED: 'Una variable del entorno decide este ajuste: cámbiala en el servidor.',
    SETTING_WRONG: 'Algún ajuste no es válido o le falta su pareja: míralo en su campo.',
    MAIL_EXPIRED: 'El enlace o código de este correo ya caducó: no se envía. Pide que soliciten otro.',
    OWN_TEXT: 'Es un texto tuyo: lo decide otra persona del equipo.',
    OWN_ACCOUNT: 'Con tu propia cuenta no puedes hacer esto: pídeselo a otro administrador.',
    NO_WINNER: 'Ningún candidato activo tiene votos: no hay a quién graduar.',
    ROUND_CHANGED: 'La ronda cambió mientras tanto: mira quién va primero ahora.',
    VOTES_BEING_DECIDED:
      'Se está aplicando una decisión sobre votos en revisión: cierra la ronda cuando termine, en unos segundos.',
    DELIVERABLE_CLOSED: 'Ya está entregado o retirado: no cambia más.',
    PLACE_REFUSED: 'Ese espacio en portada no se puede dar: mira dónde está el proyecto y si ya hay uno en marcha.',
    EVIDENCE_REFUSED: 'Esa prueba no vale aquí: revisa el tipo, la dirección o la red de la transacción.',
    EVIDENCE_USED: 'Esa prueba ya consta en otro sitio: cada una muestra una sola cosa.',
    ADDRESS_INVALID: 'Eso no es una dirección de la red de esta solicitud.',
    NOT_RESENDABLE:
      'Este correo no se puede reenviar: ya está en cola, su contenido ya no se guarda, o su pedido o solicitud tiene ahora otro correo.',
    NOT_CLOSABLE: 'Esta solicitud no se puede cerrar: no está pagada, su token está en marcha o ya está cerrada.',
    ACCEPTANCE_REFUSED: 'La firma no vale para este pago.',
    PAYER_CONFIRMATION: 'Quien pagó tiene que confirmar exactamente estos datos en la página de su pedido.',
    SECOND_APPROVAL: 'Otra persona del equipo, con rol admin, tiene que aprobar antes este resumen.',
    PROPOSAL_CHANGED: 'El resumen que cuenta es otro: quien pagó confirmó datos distintos, o ninguno. Míralo otra vez.',
    NOT_DELIVERABLE:
      'La solicitud no está pagada, su pago espera la decisión de un administrador, su devolución está reservada, o está cerrada.',
    CHAIN_UNAVAILABLE: 'Ahora mismo no se puede crear en esta red: no se ha pedido ni gastado nada.',
    ALREADY_CREATED: 'Esta solicitud ya tiene su token, o su creación está en marcha.',
    LOOK_ALIKE: 'El nombre o el símbolo se confunde con otro: revísalo y confírmalo.',
    RESEMBLES: 'Se parece a un token que ya está: míralo y confírmalo.',
    COUNTDOWN_DOUBTFUL: 'La cuenta atrás ya ha terminado o acaba después del lanzamiento.',
    SCHEDULE_REFUSED: 'Estos momentos no encajan: míralo junto a cada campo.',
    IN_TRASH: 'Está en la papelera: restáuralo antes.',
    IMAGE_SHOWN: 'Algo la muestra: no puede ir a la papelera.',
    IMAGE_USES_CHANGED: 'Entretanto la muestran otros registros: mira de nuevo dónde se usa.',
    NOT_CREATOR: 'Este token no es de esa persona.',
    PROOF_IMPOSSIBLE: 'Este token no se puede verificar así: no nombra una web o un contrato con los que hacerlo.',
    PROOF_NOT_FOUND: 'La prueba no está donde debería.',
    TELEGRAM_OFF: 'No hay bot de Telegram.',
    PUSH_SERVICE_UNKNOWN: 'No conocemos el servicio de avisos de ese navegador.',
    PUSH_KEYS_INVALID: 'Las claves de avisos de ese navegador no son válidas.',
    WALLET_REFUSED: 'La firma no vale.',
    WALLET_TAKEN: 'Esa wallet ya está vinculada.',
    WALLET_UNKNOWN: 'Esa wallet no abre ninguna cuenta.',
    WALLET_STAFF: 'El equipo no entra solo con una wallet.',
    LAST_WAY_IN: 'La cuenta necesita una contraseña o una llave de acceso.',
    PODIUM_REFUSED: 'Solo se pueden tener 3 proyectos en el Top 3. Desselecciona otro proyecto primero.',
  },
  en: {
    ADMINS_ALONE: 'Administrators change one at a time: do it in their row.',
    STAFF_ROLE_NEEDED: 'This is not part of your staff roles.',
    SETTING_FIXED: 'A variable of the environment decides this setting: change it on the server.',
    SETTING_WRONG: 'A setting is not valid or lacks the other half of its pair: see beside its field.',
    MAIL_EXPIRED: 'The link or code of this mail has ended, so it is not sent. Ask them to request another.',
    OWN_TEXT: 'It is a text of yours: a colleague decides about it.',
    OWN_ACCOUNT: 'You cannot do this with your own account: ask another administrator.',
    NO_WINNER: 'No active candidate has a vote: there is nobody to graduate.',
    ROUND_CHANGED: 'The round changed meanwhile: see who leads it now.',
    VOTES_BEING_DECIDED: 'A decision about votes under review is being applied: close the round in a few seconds.',
    DELIVERABLE_CLOSED: 'It is delivered or withdrawn already: it does not change any more.',
    PLACE_REFUSED: 'That place on home can’t be given: see where the project stands, and whether one is running.',
    EVIDENCE_REFUSED:
      'That evidence does not fit here: check its kind, the address, or the network of the transaction.',
    EVIDENCE_USED: 'That evidence stands elsewhere already: each shows one thing only.',
    ADDRESS_INVALID: "That is no address on this request's network.",
    NOT_RESENDABLE:
      'This mail cannot be sent again: it is queued, its content is no longer stored, or its order or request has another mailbox now.',
    NOT_CLOSABLE: 'This request cannot be closed: it is not paid, its token is under way, or it is closed already.',
    ACCEPTANCE_REFUSED: 'The signature is not good for this payment.',
    PAYER_CONFIRMATION: 'The payer has to confirm exactly these data on the page of the order.',
    SECOND_APPROVAL: 'Another admin has to approve this summary first.',
    PROPOSAL_CHANGED: 'Another summary counts: the payer confirmed other data, or none. Look again.',
    NOT_DELIVERABLE:
      'The request is not paid, its payment waits for an admin to decide, its refund is claimed, or it is closed.',
    CHAIN_UNAVAILABLE: 'Nothing can be made on this network right now: nothing was ordered or spent.',
    ALREADY_CREATED: 'This request has its token, or its creation is under way.',
    LOOK_ALIKE: 'The name or symbol can be taken for another one: look at it and confirm.',
    RESEMBLES: 'It resembles a token that is there already: look at it and confirm.',
    COUNTDOWN_DOUBTFUL: 'The countdown is over already, or ends after the launch.',
    SCHEDULE_REFUSED: 'These moments do not fit together: see beside each field.',
    IN_TRASH: 'It is in the trash: take it out first.',
    IMAGE_SHOWN: 'Something shows it: it can’t go into the trash.',
    IMAGE_USES_CHANGED: 'Other records show it meanwhile: look again where it is used.',
    NOT_CREATOR: 'This token is not of that person.',
    PROOF_IMPOSSIBLE: 'This token cannot be verified in this way: it names no website or contract to do it with.',
    PROOF_NOT_FOUND: 'The proof is not where it should be.',
    TELEGRAM_OFF: 'There is no Telegram bot.',
    PUSH_SERVICE_UNKNOWN: 'We do not know the push service of that browser.',
    PUSH_KEYS_INVALID: 'The push keys of that browser are not valid.',
    WALLET_REFUSED: 'The signature does not count.',
    WALLET_TAKEN: 'That wallet is linked already.',
    WALLET_UNKNOWN: 'That wallet opens no account.',
    WALLET_STAFF: 'Staff does not sign in by a wallet alone.',
    LAST_WAY_IN: 'The account needs a password or a passkey.',
    PODIUM_REFUSED: 'Only 3 projects can be in the Top 3. Deselect another project first.',
  },
};

/** The texts of every page with the words of these refusals. */
export const withAdminFailures = (text: Catalogue, locale: 'es' | 'en'): Catalogue => ({
  ...text,
  failure: { ...text.failure, ...adminFailures[locale] },
});
