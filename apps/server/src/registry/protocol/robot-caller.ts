import { sql } from 'kysely'
import { Problem, unauthenticated } from '@masthead/contract/kernel/problem'
import { protocolAccess } from '@masthead/contract/registry/operations'
import type { FastifyRequest } from 'fastify'
import type { Actor, App } from '../../kernel/app.ts'
import { standingOfMaker, whyEnded } from '../robot-maker.ts'
import { noteAsker } from '../../kernel/http/request-log.ts'

const noteEvery = 60_000 // ms

/** Who asks, by the hash of a robot's secret, and which repositories it may reach. Throws 401 in words. */
export async function actorOfRobot(app: App, request: FastifyRequest, hash: Buffer): Promise<{ actor: Actor; repositories: string[] }> {
  const robot = await app.db
    .selectFrom('registry_robot as r')
    .selectAll('r')
    .select(standingOfMaker.as('maker'))
    .where('r.hash', '=', hash)
    .executeTakeFirst()
  if (!robot) throw new Problem(unauthenticated, 'This robot is not known here, or was deleted')
  const at = app.clock.now()
  const { account_id, id, name, prefix, person_id, created_by, repositories } = robot
  noteAsker(request, { person_id, account_id, key: { id, name } })
  if (robot.expires_at && robot.expires_at <= at) throw new Problem(unauthenticated, 'This robot has expired: create another')
  const ended = whyEnded(robot, at)
  if (ended) throw new Problem(unauthenticated, ended)
  if (at.getTime() - (robot.last_used_at?.getTime() ?? 0) > noteEvery) noteUse(app, account_id, id, at)
  const actor: Actor = {
    kind: 'robot',
    email: created_by,
    person_id,
    account_id,
    permissions: [protocolAccess.pull, ...(robot.can_push ? [protocolAccess.push] : [])],
    staff: [],
    tags: [],
    key: { id, name, prefix },
    at,
    ip: request.ip,
    request_id: request.id,
  }
  return { actor, repositories }
}

/** Nobody waits for it. */
function noteUse(app: App, account_id: string, id: string, at: Date): void {
  app.db
    .transaction()
    .execute((tx) => sql`update registry_robot set last_used_at = ${at} where account_id = ${account_id} and id = ${id}`.execute(tx))
    .catch((error: unknown) => app.log.warn({ err: error }, 'the last use of a robot could not be kept'))
}
