// The part of Stripe.js that Masthead uses, in front of the sandbox that serves it. What is typed of a card stays in frames of the sandbox.
;(() => {
  const origin = new URL(document.currentScript.src).origin

  const call = async (path, key, given, method = 'POST') => {
    const query = method === 'GET' ? `?${new URLSearchParams(given)}` : ''
    const answer = await fetch(origin + path + query, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }) },
      ...(method === 'POST' && { body: new URLSearchParams(given).toString() }),
    })
    return answer.json()
  }
  const idOf = (secret) => secret.slice(0, secret.indexOf('_secret_'))
  const pathOf = (secret) => `/v1/${secret.startsWith('seti_') ? 'setup_intents' : 'payment_intents'}/${idOf(secret)}`
  const named = (intent) => (intent.object === 'setup_intent' ? { setupIntent: intent } : { paymentIntent: intent })
  const errorOf = (intent) => intent.last_setup_error ?? intent.last_payment_error

  /** Messages of one of our frames. */
  const heard = (frame, act) => {
    const listen = ({ source, origin: from, data }) => from === origin && source === frame.contentWindow && act(data)
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }

  /** The page of the card's bank, over ours, until it is answered. */
  const ask = (url) =>
    new Promise((resolve) => {
      const before = document.activeElement
      const frame = document.createElement('iframe')
      frame.src = url
      frame.title = 'Confirm the payment with your bank'
      Object.assign(frame.style, { position: 'fixed', inset: '0', width: '100%', height: '100%', border: '0', zIndex: '2147483647' })
      const stop = heard(frame, ({ type }) => {
        if (type !== 'authenticated') return
        stop()
        frame.remove()
        before?.focus?.()
        resolve()
      })
      document.body.append(frame)
      frame.focus()
    })

  const Stripe = (key) => {
    const retrieve = async (secret) => {
      const found = await call(pathOf(secret), key, { client_secret: secret }, 'GET')
      return found.error ? { error: found.error } : named(found)
    }
    const goOn = async (intent, secret) => {
      if (intent.status !== 'requires_action') return named(intent)
      await ask(intent.next_action.use_stripe_sdk.stripe_js)
      const { error, ...after } = await retrieve(secret)
      if (error) return { error }
      const is = after.setupIntent ?? after.paymentIntent
      return is.status === 'requires_payment_method' ? { error: { ...errorOf(is), type: 'card_error' } } : named(is)
    }

    const confirm = async ({ elements, clientSecret, confirmParams = {} }) => {
      const secret = clientSecret ?? elements?.secret
      const answer = confirmParams.payment_method
        ? await call(`${pathOf(secret)}/confirm`, key, { client_secret: secret, payment_method: confirmParams.payment_method })
        : await elements.confirm(secret, key)
      return answer.error ? { error: answer.error } : goOn(answer, secret)
    }

    return {
      elements: ({ clientSecret, appearance } = {}) => elementsOf(clientSecret, appearance),
      confirmSetup: confirm,
      confirmPayment: confirm,
      handleNextAction: async ({ clientSecret }) => {
        const { error, setupIntent, paymentIntent } = await retrieve(clientSecret)
        return error ? { error } : goOn(setupIntent ?? paymentIntent, clientSecret)
      },
      retrieveSetupIntent: retrieve,
      retrievePaymentIntent: retrieve,
      _registerWrapper() {},
    }
  }

  const elementsOf = (secret, appearance = {}) => {
    let element = null
    return {
      secret,
      create: (type) => (element = cardElement(type, appearance)),
      getElement: () => element,
      update: (options) => element?.update(options),
      submit: async () =>
        element?.isComplete() ? {} : { error: { type: 'validation_error', message: 'Your card’s details are incomplete.' } },
      confirm: (of, key) => element.confirm(of, key),
    }
  }

  const cardElement = (type, appearance) => {
    const frame = document.createElement('iframe')
    const listeners = {}
    let complete = false
    let answered = null
    const tell = (name, event) => (listeners[name] ?? []).forEach((act) => act({ elementType: type, ...event }))
    const stop = heard(frame, (data) => {
      if (data.type === 'ready') {
        frame.contentWindow.postMessage({ type: 'appearance', appearance }, origin)
        tell('ready', {})
      }
      if (data.type === 'height') frame.style.height = `${data.height}px`
      if (data.type === 'change') {
        complete = data.complete
        tell('change', { complete, empty: data.empty, value: { type: 'card' } })
      }
      if (data.type === 'confirmed') answered?.(data.answer)
    })
    frame.title = 'Card details'
    frame.src = `${origin}/elements/card`
    Object.assign(frame.style, { width: '100%', height: '160px', border: '0', display: 'block', colorScheme: 'normal' })
    return {
      mount: (into) => (typeof into === 'string' ? document.querySelector(into) : into).replaceChildren(frame),
      unmount: () => frame.remove(),
      destroy: () => {
        stop()
        frame.remove()
        tell('destroy', {})
      },
      on(name, act) {
        ;(listeners[name] ??= []).push(act)
        return this
      },
      off(name, act) {
        listeners[name] = (listeners[name] ?? []).filter((each) => each !== act)
        return this
      },
      update: ({ appearance: next } = {}) => next && frame.contentWindow?.postMessage({ type: 'appearance', appearance: next }, origin),
      focus: () => frame.focus(),
      isComplete: () => complete,
      confirm: (secret, key) =>
        new Promise((resolve) => {
          answered = resolve
          frame.contentWindow.postMessage({ type: 'confirm', path: `${pathOf(secret)}/confirm`, client_secret: secret, key }, origin)
        }),
    }
  }

  Stripe.version = 'endive'
  window.Stripe = Stripe
})()
