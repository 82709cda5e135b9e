import { defineMessages } from './define-messages.ts';

/** What the wizard says after its first step; merged into the messages of the first one. */
export const createLaterTexts = defineMessages({
  es: {
    create: {
      market: {
        lead: 'Nada de esto es obligatorio: cuéntanos lo que ya sepas.',
        split: 'Reparto',
        sum: (percent: string) => `Suma: ${percent} %`,
        over: (percent: string) => `Suma ${percent} %: más de 100 %. Puedes seguir; revísalo cuando quieras.`,
        parts: { distribution: 'Distribución', team: 'Equipo', marketing: 'Marketing', partners: 'Socios' },
      },
      plan: {
        lead: 'Elige qué incluye tu lanzamiento. Puedes cambiar hasta el pago.',
        best: '¡MEJOR PRECIO!',
        note: 'El pago se realiza en el último paso.',
        chosen: 'Elegido',
        legend: 'Planes',
      },
      pay: {
        banner: (plan: string) => `Plan ${plan}`,
        price: (usd: string) => `${usd} USD`,
        benefits: 'Qué incluye',
        sample: 'Cifras de mercado',
        sampleTag: 'Ejemplo',
        sampleNote: 'Son cifras inventadas para que veas cómo se muestran. No son una promesa.',
        figures: [
          { label: 'Capitalización', value: '$12,1 K' },
          { label: 'Volumen 24 h', value: '$3,4 K' },
          { label: 'Titulares', value: '128' },
        ],
        card: 'Pago con criptomonedas',
        coins: '50+ criptomonedas',
        cardText: 'Eliges la moneda en la página de pago, que se abre en una pestaña nueva.',
        create: 'Crear pago',
        creating: 'Creando pago...',
        open: 'Abrir la página de pago',
        again: 'Crear otro pago',
        check: 'Check Status',
        checking: 'Comprobando...',
        order: 'Pedido',
        copyOrder: 'Copiar el número de pedido',
        copied: 'Copiado',
        amount: 'Importe',
        send: 'A enviar',
        received: 'Recibido',
        until: 'Válido hasta',
        orderPage: 'Ver el pedido',
        orderMailed: 'El enlace va también, si este sitio envía correos, al que diste con el primer pago.',
        simulation: 'Simulación: no se mueve dinero.',
        unavailable:
          'Ahora mismo no se puede pagar: no hay ningún proveedor de pagos configurado. Tu borrador queda guardado.',
        otherPlan: (plan: string, order: string) =>
          `Hay un pago abierto por el plan ${plan} (${order}). Si creas otro por el plan que has elegido ahora, no pagues ese: deja de contar para este pedido.`,
        otherPlanPaid:
          'Ya hay dinero en camino o en revisión en ese pago, y no se descuenta del nuevo, que es por el precio entero: espera antes de crear otro.',
        otherMoney: (order: string) =>
          `Hay dinero en tu otro pago, ${order}: una persona del equipo decide si lo acepta o lo devuelve. No pagues nada más hasta saberlo.`,
        tokenChanged: (order: string) =>
          `Has cambiado el token desde que creaste el pago ${order}, que es para los datos de antes: crea otro y no pagues ese.`,
        otherUnderWay: (order: string) =>
          `Tu otro pago, ${order}, está en camino y cuenta para este pedido en cuanto se confirme. No pagues nada más hasta saberlo.`,
        review: 'Revisa antes de pagar',
        edit: 'Cambiar',
        none: 'Sin completar',
        status: (status: string) => `Current status: ${status}`,
        unknown:
          'Sin respuesta del proveedor: no sabemos todavía si el pago ha llegado. No pagues otra vez; lo seguimos comprobando.',
        failed: 'Payment Creation Failed',
        failedText: 'Failed to create payment. Please try again.',
        /** An answer without a page to pay at. */
        noPage: 'Error creating payment',
        notSaved: 'No hemos podido guardar tu borrador, así que no se ha creado ningún pago. Inténtalo de nuevo.',
        changed:
          'El formulario cambió en otro dispositivo, así que no se ha creado ningún pago. Revísalo y vuelve a intentarlo.',
        checkFailed: 'Status Check Failed',
        checkFailedText: 'Failed to check payment status.',
        /** An answer without a payment. */
        noStatus: 'Error checking payment status',
        created: 'Payment Created!',
        confirmed: 'Payment Confirmed!',
        success: {
          title: 'Payment Successful!',
          text: 'Your token creation request has been submitted and will be processed by our admin team.',
        },
        recordFailed: {
          title: 'Payment Completed',
          text: (id: string) =>
            `Payment was successful but there was an issue saving the record. Please contact support with payment ID: ${id}`,
        },
        blocked: 'Tu navegador no ha dejado abrir la pestaña: usa el botón de abajo.',
        state: {
          awaiting: {
            title: 'Esperando pago',
            text: 'Paga en la página de pago, en su pestaña. Aquí lo sabremos solos.',
          },
          confirming: { title: 'Confirmando en la red', text: 'El pago ha salido. Suele tardar unos minutos.' },
          partially_paid: { title: 'Pago parcial', text: 'Ha llegado una parte.' },
          paid: { title: 'Pagado', text: 'Ha llegado todo.' },
          overpaid: {
            title: 'Pagado de más',
            text: 'Ha llegado más de lo que costaba. La diferencia consta en tu pedido.',
          },
          paid_late: { title: 'Pagado fuera de plazo', text: 'Ha llegado tarde. El equipo lo revisa.' },
          expired: {
            title: 'Vencido',
            text: 'El plazo de este pago terminó. Si ya enviaste el dinero, no lo envíes otra vez: lo seguimos buscando. Si no, crea otro.',
          },
          failed: {
            title: 'Fallido',
            text: 'El pago no salió adelante. Si enviaste dinero, espera a ver en tu pedido qué pasó con él. Si no, o si fue muy poco, crea otro.',
          },
          refunded: { title: 'Reembolsado', text: 'El dinero ha vuelto a quien pagó. Puedes crear otro pago.' },
          under_review: {
            title: 'En revisión',
            text: 'Ha llegado algo que una persona tiene que mirar. En qué queda lo ves en la página del pedido.',
          },
        },
        sentBack: {
          title: 'Reembolsado por el equipo',
          text: 'El equipo dice que ha devuelto todo lo que llegó. No envíes más dinero a este pedido. Si todavía quieres tu token, empieza una solicitud nueva.',
          action: 'Empezar otra solicitud',
        },
      },
      done: {
        next: 'Qué pasa ahora',
        steps: [
          'El equipo revisa tu solicitud. Si el token lo crea el programa, te pide en tu pedido que confirmes sus datos.',
          'Se crea el token en la red elegida.',
          'Te avisamos y aparece en tu pedido.',
        ],
        part: (received: string, price: string, missing: string) =>
          `Pago parcial: faltan ${missing}. Han llegado ${received} de ${price}.`,
        partTitle: (missing: string) => `Faltan ${missing}`,
        partText:
          'Hemos recibido una parte. El token se crea cuando llegue el resto o el equipo dé por bueno lo recibido.',
        partSteps: [
          'Envía lo que falta desde la página de pago.',
          'Con todo pagado, el equipo revisa tu solicitud. Si el token lo crea el programa, te pide en tu pedido que confirmes sus datos.',
          'Se crea el token en la red elegida.',
          'Te avisamos y aparece en tu pedido.',
        ],
        accepted: (received: string, price: string) =>
          `El equipo da por bueno lo que ha llegado: ${received} de ${price}. No tienes que enviar nada más.`,
        payRest: 'Pagar lo que falta',
        order: 'Ver mi pedido',
        another: 'Crear otro token',
        number: 'Pedido',
      },
      conflict: {
        title: 'Cambiaste lo mismo en dos dispositivos',
        text: 'Nada se ha perdido todavía. Elige con qué versión sigues.',
        here: 'En este dispositivo',
        there: 'En el otro dispositivo',
        keepHere: 'Quedarme con la de aquí',
        keepThere: 'Usar la del otro',
        empty: 'Vacío',
      },
      arrived: {
        title: 'Ya hay un borrador en este dispositivo',
        text: (mine: string, arrived: string) =>
          `Aquí estabas con «${mine}» y el enlace abre «${arrived}». Si abres el del enlace, el de aquí queda aparte y puedes volver a él; si no, el otro se abre de nuevo con su enlace.`,
        mine: 'Seguir con el de aquí',
        arrived: 'Abrir el del enlace',
        unnamed: 'sin nombre',
      },
      contactLead: 'Las redes de tu proyecto y cómo hablar contigo. Los datos del primer paso ya están puestos.',
      contact: {
        ownerWalletAddress: 'Wallet del propietario',
        petitionerEmail: 'Correo electrónico',
        petitionerTelegram: 'Telegram',
        selectedNetwork: 'Red blockchain',
        twitter: 'Twitter',
        linkedin: 'LinkedIn',
        telegram: 'Grupo de Telegram',
        discord: 'Discord',
        website: 'Sitio web',
        supportChannel: 'Canal de soporte',
        socialDescription: 'Descripción del canal social',
        selectedPlan: 'Plan',
      },
    },
  },
  en: {
    create: {
      market: {
        lead: 'None of this is needed: tell us what you know already.',
        split: 'Split',
        sum: (percent) => `Sum: ${percent}%`,
        over: (percent) => `The sum is ${percent}%: more than 100%. You can go on and look at it later.`,
        parts: { distribution: 'Distribution', team: 'Team', marketing: 'Marketing', partners: 'Partners' },
      },
      plan: {
        lead: 'Choose what your launch includes. You can change it until you pay.',
        best: 'BEST PRICE!',
        note: 'Payment happens at the last step.',
        chosen: 'Chosen',
        legend: 'Plans',
      },
      pay: {
        banner: (plan) => `${plan} plan`,
        price: (usd) => `${usd} USD`,
        benefits: "What's included",
        sample: 'Market figures',
        sampleTag: 'Example',
        sampleNote: 'Made-up figures that show you what they look like. They promise nothing.',
        figures: [
          { label: 'Market cap', value: '$12.1K' },
          { label: '24 h volume', value: '$3.4K' },
          { label: 'Holders', value: '128' },
        ],
        card: 'Pay with cryptocurrency',
        coins: '50+ cryptocurrencies',
        cardText: 'You choose the currency on the payment page, which opens in a new tab.',
        create: 'Create payment',
        creating: 'Creating payment...',
        open: 'Open the payment page',
        again: 'Create another payment',
        check: 'Check Status',
        checking: 'Checking...',
        order: 'Order',
        copyOrder: 'Copy the order number',
        copied: 'Copied',
        amount: 'Price',
        send: 'To send',
        received: 'Received',
        until: 'Valid until',
        orderPage: 'See the order',
        orderMailed: 'The link also goes, if this site sends mails, to the address you gave with the first payment.',
        simulation: 'Simulation: no money moves.',
        unavailable: 'Nobody can pay at the moment: no payment provider is set up. Your draft is kept.',
        otherPlan: (plan, order) =>
          `There is an open payment for the ${plan} plan (${order}). If you create another one for the plan chosen now, do not pay that one: it stops counting for this order.`,
        otherPlanPaid:
          'Money is already on its way to that payment or under review, and it is not deducted from the new one, which is for the whole price: wait before you create another one.',
        otherMoney: (order) =>
          `There is money at your other payment, ${order}: a person of the team decides whether to accept it or to give it back. Pay nothing else until you know.`,
        tokenChanged: (order) =>
          `You changed the token since you created payment ${order}, which is for the former data: create another one and do not pay that one.`,
        otherUnderWay: (order) =>
          `Your other payment, ${order}, is on its way and counts for this order once it is confirmed. Pay nothing else until you know.`,
        review: 'Look again before you pay',
        edit: 'Change',
        none: 'Not filled in',
        status: (status) => `Current status: ${status}`,
        unknown:
          "The provider does not answer: we do not know yet whether the payment arrived. Don't pay again; we keep checking.",
        failed: 'Payment Creation Failed',
        failedText: 'Failed to create payment. Please try again.',
        noPage: 'Error creating payment',
        notSaved: 'Your draft could not be saved, so no payment was created. Try again.',
        changed: 'The form was changed on another device, so no payment was created. Review it and try again.',
        checkFailed: 'Status Check Failed',
        checkFailedText: 'Failed to check payment status.',
        noStatus: 'Error checking payment status',
        created: 'Payment Created!',
        confirmed: 'Payment Confirmed!',
        success: {
          title: 'Payment Successful!',
          text: 'Your token creation request has been submitted and will be processed by our admin team.',
        },
        recordFailed: {
          title: 'Payment Completed',
          text: (id) =>
            `Payment was successful but there was an issue saving the record. Please contact support with payment ID: ${id}`,
        },
        blocked: 'Your browser did not let us open the tab: use the button below.',
        state: {
          awaiting: {
            title: 'Waiting for payment',
            text: 'Pay on the payment page, in its tab. We will know by ourselves.',
          },
          confirming: {
            title: 'Confirming on the network',
            text: 'The payment is on its way. It usually takes a few minutes.',
          },
          partially_paid: { title: 'Partly paid', text: 'A part has arrived.' },
          paid: { title: 'Paid', text: 'Everything has arrived.' },
          overpaid: {
            title: 'Paid too much',
            text: 'More than the price has arrived. The difference is on record with your order.',
          },
          paid_late: { title: 'Paid late', text: 'It arrived late. The team is looking at it.' },
          expired: {
            title: 'Expired',
            text: 'The time for this payment is over. If you have sent the money, do not send it again: we keep looking for it. If not, create another one.',
          },
          failed: {
            title: 'Failed',
            text: 'The payment did not go through. If you sent money, wait to see on your order what happened to it. If not, or very little, create another one.',
          },
          refunded: {
            title: 'Refunded',
            text: 'The money has gone back to the payer. You can create another payment.',
          },
          under_review: {
            title: 'Under review',
            text: 'Something arrived that a person has to look at. The order page shows how it ends.',
          },
        },
        sentBack: {
          title: 'Given back by the team',
          text: 'The team says that it sent back all that arrived. Send no more money to this order. If you still want your token, begin a new request.',
          action: 'Begin another request',
        },
      },
      done: {
        next: 'What happens now',
        steps: [
          'The team looks at your request. If the program creates the token, your order asks you to confirm its data.',
          'The token is created on the chosen network.',
          'We tell you, and it shows in your order.',
        ],
        part: (received, price, missing) => `Part payment: ${missing} are missing. ${received} of ${price} arrived.`,
        partTitle: (missing) => `${missing} are missing`,
        partText:
          'A part has arrived. The token is made when the rest arrives or the team accepts the amount received as full payment.',
        partSteps: [
          'Send the rest from the payment page.',
          'With everything paid, the team reviews your request. If the program creates the token, your order asks you to confirm its data.',
          'The token is created on the chosen network.',
          'We tell you, and it shows in your order.',
        ],
        accepted: (received, price) =>
          `The team accepts the amount received as full payment: ${received} of ${price}. You need not send anything else.`,
        payRest: 'Pay the rest',
        order: 'See my order',
        another: 'Create another token',
        number: 'Order',
      },
      conflict: {
        title: 'You changed the same on two devices',
        text: 'Nothing is lost yet. Choose the version to go on with.',
        here: 'On this device',
        there: 'On the other device',
        keepHere: 'Keep the one from here',
        keepThere: 'Use the other one',
        empty: 'Empty',
      },
      arrived: {
        title: 'There is a draft on this device already',
        text: (mine, arrived) =>
          `Here you were at “${mine}”, and the link opens “${arrived}”. If you open that one, the one here is put aside and you can go back to it; if not, the link opens the other one again.`,
        mine: 'Go on with the one here',
        arrived: 'Open the one of the link',
        unnamed: 'without a name',
      },
      contactLead:
        'Where your project is found and how to reach you. What you wrote in the first step is here already.',
      contact: {
        ownerWalletAddress: 'Owner wallet',
        petitionerEmail: 'E-mail',
        petitionerTelegram: 'Telegram',
        selectedNetwork: 'Blockchain network',
        twitter: 'Twitter',
        linkedin: 'LinkedIn',
        telegram: 'Telegram group',
        discord: 'Discord',
        website: 'Website',
        supportChannel: 'Support channel',
        socialDescription: 'Description of the social channel',
        selectedPlan: 'Plan',
      },
    },
  },
});
