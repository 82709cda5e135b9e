import { defineMessages } from './define-messages.ts';

/** What is said to payers of a token that the team would make otherwise than it was paid for. */
export const proposalsTexts = defineMessages({
  es: {
    proposals: {
      heading: 'Cambio en tu token',
      state: { open: 'Espera tu respuesta', confirmed: 'Confirmado', declined: 'Rechazado' },
      next: {
        open: 'El equipo quiere crear tu token con estos datos, que no son los que pagaste. Sin tu confirmación no se crea así. Si no has pedido este cambio, recházalo.',
        confirmed:
          'Has confirmado estos datos. El equipo puede crear el token así, y de ninguna otra forma que no hayas pagado o confirmado.',
        declined: 'Has rechazado estos datos: el token no se crea así.',
      },
      fields: {
        network: 'Red',
        ownerWallet: 'Wallet que recibe todo el suministro',
        tokenName: 'Nombre',
        tokenSymbol: 'Símbolo',
      },
      networks: { solana: 'Solana', ethereum: 'Ethereum', binance: 'BNB Smart Chain', polygon: 'Polygon' },
      supply: 'Suministro',
      decimals: 'Decimales',
      hash: 'Huella (SHA-256)',
      paid: (field: string, value: string) => `${field}: pagaste «${value}».`,
      confirm: 'Confirmar estos datos',
      decline: 'Rechazar',
      saying: 'Guardando...',
      said: { confirmed: 'Cambio confirmado', declined: 'Cambio rechazado' },
      failed: 'No se pudo guardar tu respuesta',
      over: 'Esta pregunta ya no espera respuesta.',
      asked: 'Preguntado:',
      answered: 'Respondido:',
      ordered: 'Así se crea tu token',
      orderedHow: 'El equipo lo ha encargado con estos datos. Si algo no es tuyo, escríbenos ahora.',
    },
  },
  en: {
    proposals: {
      heading: 'A change of your token',
      state: { open: 'Waits for your answer', confirmed: 'Confirmed', declined: 'Declined' },
      next: {
        open: 'The team wants to make your token with these data, which are not those that you paid for. Without your confirmation it is not made so. If you did not ask for this change, decline it.',
        confirmed:
          'You confirmed these data. The team can make the token so, and in no other way that you did not pay for or confirm.',
        declined: 'You declined these data: the token is not made so.',
      },
      fields: {
        network: 'Network',
        ownerWallet: 'Wallet that receives the whole supply',
        tokenName: 'Name',
        tokenSymbol: 'Symbol',
      },
      networks: { solana: 'Solana', ethereum: 'Ethereum', binance: 'BNB Smart Chain', polygon: 'Polygon' },
      supply: 'Supply',
      decimals: 'Decimals',
      hash: 'Fingerprint (SHA-256)',
      paid: (field, value) => `${field}: you paid for “${value}”.`,
      confirm: 'Confirm these data',
      decline: 'Decline',
      saying: 'Saving...',
      said: { confirmed: 'Change confirmed', declined: 'Change declined' },
      failed: 'Your answer could not be saved',
      over: 'This question does not wait for an answer any more.',
      asked: 'Asked:',
      answered: 'Answered:',
      ordered: 'Your token is made like this',
      orderedHow: 'The team ordered it with these data. If something of it is not yours, write to us now.',
    },
  },
});
