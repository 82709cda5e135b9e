import { defineMessages } from './define-messages.ts';

/** The last hour before a launch on its page, and what is known once the hour has come. */
export const launchWindowTexts = defineMessages({
  es: {
    launchWindow: {
      eyebrow: 'La última hora',
      heading: (name: string) => `${name} abre sus puertas`,
      clock: 'Tiempo que falta',
      minutes: 'min',
      seconds: 's',
      at: 'Hora anunciada:',
      server: 'El reloj es el del servidor.',
      waiting: (count: string) =>
        count === '1'
          ? '1 miembro espera aquí con la página abierta'
          : `${count} miembros esperan aquí con la página abierta`,
      nobody: 'Ningún miembro espera aquí todavía',
      waitingNote: 'Se cuentan los miembros con sesión que tienen esta página abierta, una vez cada uno.',
      open: 'Ha llegado la hora',
      openText: 'Esto es lo que consta, y quién lo dice.',
      facts: {
        hour: 'La hora anunciada',
        passed: 'Pasó, según el reloj del servidor.',
        team: 'Quienes llevan el sitio',
        marked: 'Lo han marcado como lanzado.',
        unmarked: 'Todavía no han dicho que se haya lanzado: aquí «Lanzado» solo indica que pasó la hora anunciada.',
        chain: 'En la cadena',
        made: 'Florka creó el contrato; estos datos se leyeron de la cadena.',
        before: 'Se creó antes de la hora anunciada',
        after: 'Se creó después de la hora anunciada',
        proof: 'Ver la transacción en el explorador',
        transaction: 'Transacción',
        published: 'La dirección está publicada en esta página; aquí no se ha leído de la cadena.',
        nothing: 'No hay ningún contrato publicado: nada en la cadena prueba el lanzamiento.',
        simulation: 'Cadena de pruebas: no prueba ningún lanzamiento de verdad.',
        prices: 'Precios',
        pricesSince: 'Registrados desde',
        noPrices: 'Todavía no hay ninguno registrado.',
      },
    },
  },
  en: {
    launchWindow: {
      eyebrow: 'The last hour',
      heading: (name: string) => `${name} opens its gates`,
      clock: 'Time left',
      minutes: 'min',
      seconds: 's',
      at: 'Announced hour:',
      server: 'The clock is the server’s.',
      waiting: (count: string) =>
        count === '1' ? '1 member waits here with the page open' : `${count} members wait here with the page open`,
      nobody: 'No member waits here yet',
      waitingNote: 'Counted are signed-in members who have this page open, each once.',
      open: 'The hour has come',
      openText: 'This is what is on record, and who says so.',
      facts: {
        hour: 'The announced hour',
        passed: 'It passed, by the server’s clock.',
        team: 'Those who run the site',
        marked: 'They marked it as launched.',
        unmarked:
          'They have not said yet that it launched: “Launched” here only means that the announced hour has passed.',
        chain: 'On the chain',
        made: 'Florka made the contract; this was read from the chain.',
        before: 'Made before the announced hour',
        after: 'Made after the announced hour',
        proof: 'See the transaction in the explorer',
        transaction: 'Transaction',
        published: 'The address is published on this page; it was not read from the chain here.',
        nothing: 'No contract is published: nothing on the chain proves the launch.',
        simulation: 'A test chain: it proves no real launch.',
        prices: 'Prices',
        pricesSince: 'Recorded since',
        noPrices: 'None is recorded yet.',
      },
    },
  },
});
