import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidRequest, Problem } from '@masthead/contract/kernel/problem'

/** JSON is read whole, as UTF-8 alone; a CSV, or bytes, as they come; nothing else is. */
export function readBodies(server: FastifyInstance): void {
  const parseJson = server.getDefaultJsonParser('error', 'error')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // A call without a body may still say that it is JSON.
    if (body.length === 0) return done(null, undefined)
    const text = textOf(body as Buffer)
    // What another encoding makes of it would be kept with marks in place of letters.
    if (text === null) return done(new Problem(invalidRequest, 'The body is not UTF-8: send JSON as UTF-8'))
    return parseJson(request, text, done)
  })
  server.addContentTypeParser(['text/csv', 'application/octet-stream'], (_request, payload, done) => done(null, payload))
}

function textOf(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Nothing is unpacked here: little that is sent could become much. Throws invalid_request. */
export function refuseCompressed({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase()
  if (encoding && encoding !== 'identity')
    throw new Problem(invalidRequest, 'Send the body as it is, without Content-Encoding: compressed bodies are not read')
}
