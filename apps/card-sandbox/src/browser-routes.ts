import type { Parameters } from './parameters.ts'
import { publicFile, type Parts } from './parts.ts'

type Of = { Params: { id: string }; Body: Parameters }

/** What browsers load: the script, the fields of a card, and the page of the card's bank. Card numbers are typed into frames of this origin alone. */
export function browserRoutes({ server, intents }: Parts) {
  const page = (path: string, file: string, type = 'text/html') =>
    server.get(path, (_, reply) => reply.type(type).header('cache-control', 'no-cache').send(publicFile(file)))
  page('/v3/', 'stripe.js', 'text/javascript')
  page('/elements/card', 'card.html')
  page('/card.js', 'card.js', 'text/javascript')
  page('/sandbox.css', 'sandbox.css', 'text/css')
  page('/authenticate/:id', 'authenticate.html')
  server.post<Of>('/authenticate/:id', ({ params, body }) => {
    const { status } = intents.authenticated(params.id, body?.agrees === 'true')
    return { status }
  })
}
