import type { FastifyRequest } from 'fastify'
import type { App } from '../kernel/app.ts'

/** Whom a passkey is for: the host people see in their address bar, as configured or else as it was asked for. */
export function relyingParty({ config: { publicUrl } }: App, request: FastifyRequest): { id: string; origin: string } {
  if (publicUrl) {
    const { hostname, origin } = new URL(publicUrl)
    return { id: hostname, origin }
  }
  return { id: request.hostname, origin: `${request.protocol}://${request.host}` }
}
