import type { FastifyRequest } from 'fastify'
import { Problem } from '@masthead/contract/kernel/problem'
import { deviceOf } from '../../devices/agent/index.ts'
import type { App } from '../../kernel/app.ts'

/** Asks what refuses by a problem; `unknown`: it cannot be asked. */
export const unlessRefused =
  <Answer>(ask: () => Promise<Answer>) =>
  (): Promise<Answer | false | 'unknown'> =>
    ask().catch((error: unknown) => (error instanceof Problem ? false : 'unknown'))

/** Asks whether a device may still be there: other credentials that it was given meanwhile end what came with these. */
export const deviceStands = (app: App, request: FastifyRequest): (() => Promise<boolean | 'unknown'>) =>
  unlessRefused(async () => (await deviceOf(app, request)) !== null)
