import type { Customer, PaymentMethod } from './entity.ts'
import { newId, seconds } from './events.ts'
import { metadataOf, partOf, textOf, type Parameters } from './parameters.ts'
import { missing } from './refusal.ts'
import { listOf, type Parts } from './parts.ts'

type Of = { Params: { id: string }; Body: Parameters; Querystring: Parameters }

/** Customers, and the cards that are kept of them. */
export function customerRoutes({ server, store, events, intents, now }: Parts) {
  const customer = (id: string): Customer => {
    const found = store.find<Customer>('customer', id)
    if (!found) throw missing('customer', id)
    return found
  }

  server.post<Of>('/v1/customers', ({ body }) => {
    const given = body ?? {}
    const made = store.put<Customer>({
      id: newId('cus'),
      object: 'customer',
      created: seconds(now()),
      livemode: false,
      email: textOf(given, 'email'),
      name: textOf(given, 'name'),
      metadata: metadataOf(given),
      invoice_settings: { default_payment_method: null },
    })
    events.happened('customer.created', made)
    return made
  })
  server.get<Of>('/v1/customers/:id', ({ params }) => customer(params.id))
  server.post<Of>('/v1/customers/:id', ({ params, body }) => {
    const was = customer(params.id)
    const given = body ?? {}
    const chosen = textOf(partOf(given, 'invoice_settings'), 'default_payment_method')
    if (chosen !== null && intents.method(chosen).customer !== was.id)
      throw missing('PaymentMethod', chosen, 'invoice_settings[default_payment_method]')
    const is = store.put<Customer>({
      ...was,
      email: textOf(given, 'email') ?? was.email,
      metadata: { ...was.metadata, ...metadataOf(given) },
      invoice_settings: { default_payment_method: chosen ?? was.invoice_settings.default_payment_method },
    })
    events.happened('customer.updated', is)
    return is
  })

  const cardsOf = (id: string) => store.all<PaymentMethod>('payment_method').filter((method) => method.customer === id)
  server.get<Of>('/v1/customers/:id/payment_methods', ({ params, query }) =>
    listOf(`/v1/customers/${params.id}/payment_methods`, cardsOf(customer(params.id).id), query)
  )
  server.get<Of>('/v1/payment_methods', ({ query }) =>
    listOf('/v1/payment_methods', typeof query.customer === 'string' ? cardsOf(query.customer) : [], query)
  )
  server.get<Of>('/v1/payment_methods/:id', ({ params }) => intents.method(params.id))
  server.post<Of>('/v1/payment_methods/:id/detach', ({ params }) => {
    const was = intents.method(params.id)
    const is = store.put<PaymentMethod>({ ...was, customer: null, is_set_up: false })
    const owner = was.customer === null ? null : store.find<Customer>('customer', was.customer)
    if (owner?.invoice_settings.default_payment_method === is.id)
      store.put({ ...owner, invoice_settings: { default_payment_method: null } })
    events.happened('payment_method.detached', is)
    return is
  })
}
