import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '@masthead/contract/kernel/problem'
import { takeTry } from '../../auth/index.ts'
import { networkOf } from '../../kernel/network-of.ts'
import type { App } from '../../kernel/app.ts'
import { enrolDevice, type Asker } from './enrol-device.ts'
import { findToken, type FoundToken } from './find-deployment.ts'
import { noteRefusal, refusalOf } from './note-refusal.ts'
import { readAsk } from './read-ask.ts'

const deployPath = '/v1/core/deploy'

/** A device asks every ten seconds at most. Many may stand behind one address. */
const perAddress = 1200
const perDeployment = 3000
const minute = 60 // s

/**
 * Where devices enrol (domain: `POST {api}/v1/core/deploy`): JSON without a content type, and a device token in the answer. A device writes the words of a 400 into
 * its log; whatever else is not 200 or 201 is one and the same to it, and it asks again.
 */
export function mountDeploy(server: FastifyInstance, app: App) {
  void server.register(async (own) => {
    own.removeAllContentTypeParsers()
    own.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 4096 }, (_request, body, done) => done(null, body))
    own.post(deployPath, { config: { operation: 'core.deploy', write: true } }, async (request, reply) => {
      const { device_token, isNew } = await answer(app, request)
      return reply.code(isNew ? 201 : 200).send({ device_token })
    })
  })
}

async function answer(app: App, request: FastifyRequest): Promise<{ device_token: string; isNew: boolean }> {
  const at = app.clock.now()
  await takeTry(app.db, at, { key: `core deploy ${networkOf(request.ip)}`, limit: perAddress, seconds: minute })
  const { deployment_token, iccid } = readAsk(request.body)
  const token = await findToken(app.db, deployment_token)
  await takeTry(app.db, at, { key: `core deploy ${token.deployment_id}`, limit: perDeployment, seconds: minute })
  const asker: Asker = { iccid, at, ip: request.ip, request_id: request.id }
  return app.db
    .transaction()
    .execute((tx) => enrolDevice(tx, token, asker))
    .catch((error: unknown) => refuse(app, token, asker, error))
}

/** What was begun is undone by then: that it was refused is kept by itself. */
async function refuse({ db, log }: App, token: FoundToken, asker: Asker, error: unknown): Promise<never> {
  const code = error instanceof Problem ? refusalOf(error) : undefined
  if (code) {
    await db.transaction().execute((tx) => noteRefusal(tx, token, asker, code))
    log.info({ code, deployment_id: token.deployment_id, ip: asker.ip }, 'a CORE device was refused')
  }
  throw error
}
