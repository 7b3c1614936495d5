import type { FastifyInstance, HTTPMethods } from 'fastify'
import { methodNotAllowed, Problem } from '@masthead/contract/kernel/problem'

declare module 'fastify' {
  interface FastifyInstance {
    /** Methods by the address that takes them, `:name` for what stands in between. */
    answersAt: ReadonlyMap<string, ReadonlySet<string>>
  }
}

const all: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Writes down what each address takes. Call it before there are routes; the returned function, after the last one, has other methods answered 405. */
export function keepAddresses(server: FastifyInstance): () => void {
  const taken = new Map<string, Set<string>>()
  let done = false
  server.decorate('answersAt', taken)
  server.addHook('onRoute', ({ url, method }) => {
    if (done) return
    const address = url.replaceAll(/:\w+/g, ':name')
    taken.set(address, new Set([...(taken.get(address) ?? []), ...[method].flat()]))
  })
  return () => {
    done = true
    for (const [url, methods] of taken) {
      // Below a wildcard lie files, which may be there or not.
      if (url.includes('*')) continue
      const allow = [...methods].toSorted().join(', ')
      server.route({
        url,
        method: all.filter((method) => !methods.has(method)),
        exposeHeadRoute: false,
        // Before a body is read.
        onRequest: async (_request, reply) => {
          void reply.header('allow', allow)
          throw new Problem(methodNotAllowed, `This address takes ${allow}`)
        },
        handler: () => {},
      })
    }
  }
}
