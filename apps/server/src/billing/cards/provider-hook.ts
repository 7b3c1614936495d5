import type { FastifyInstance } from 'fastify'
import type { App } from '../../kernel/app.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'
import { providerOf } from './provider.ts'

const hookPath = '/hooks/stripe'

/**
 * What the card provider says by itself. It is a hint to look and no more: a job asks the provider how things are now, so that what comes twice, late or in
 * another order changes nothing. Without a valid signature nothing is read.
 */
export function mountProviderHook(server: FastifyInstance, app: App) {
  void server.register(async (own) => {
    own.removeAllContentTypeParsers()
    own.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 300_000 }, (_request, body, done) => done(null, body))
    own.post(hookPath, async (request, reply) => {
      const secret = app.config.integrations.cardProvider?.webhookSecret
      const provider = providerOf(app)
      if (!secret || !provider) return reply.code(404).send()
      const event = await provider.webhooks
        .constructEventAsync(String(request.body), String(request.headers['stripe-signature'] ?? ''), secret)
        .catch(() => null)
      if (!event) return reply.code(400).type('text/plain').send('The signature is not ours, or is old')
      const { object } = (event.data ?? {}) as { object?: { id?: unknown; object?: unknown; payment_intent?: unknown } | null }
      // A form of ours, or the page of the provider that it was on.
      if ((object?.object === 'setup_intent' || object?.object === 'checkout.session') && typeof object.id === 'string')
        await app.db.transaction().execute((tx) => addJob(tx, 'settle_card_setup', { provider_id: object.id }, { maxAttempts: 5 }))
      // A payment, what was charged for it, paid back of it, or is disputed.
      const payment = object?.object === 'payment_intent' ? object.id : object?.payment_intent
      if (typeof payment === 'string')
        await app.db.transaction().execute((tx) => addJob(tx, 'billing.settle_payment', { provider_id: payment }, { maxAttempts: 5 }))
      return reply.code(204).send()
    })
  })
}
