import { newId } from '@masthead/contract/kernel/id'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { robotCreated, robotDeleted } from '@masthead/contract/registry/events'
import { robotNameTaken, tooManyRobots } from '@masthead/contract/registry/problems'
import { mostRobots, robotId, type CreateRobotBody, type Robot, type RobotOnce } from '@masthead/contract/registry/robot'
import { makeSecret } from '../developers/index.ts'
import { standingOfMaker, whyEnded } from './robot-maker.ts'
import type { Actor, Db, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { needService } from './suspended.ts'

const columns = [
  'r.id',
  'r.name',
  'r.prefix',
  'r.can_push',
  'r.repositories',
  'r.expires_at',
  'r.created_by',
  'r.created_at',
  'r.last_used_at',
] as const
const robotsOf = (db: Db, { account_id }: Pick<Actor, 'account_id'>) =>
  db
    .selectFrom('registry_robot as r')
    .leftJoin('api_key as k', (join) => join.onRef('k.account_id', '=', 'r.account_id').onRef('k.id', '=', 'r.api_key_id'))
    .select([...columns, 'r.api_key_id', 'k.name as api_key_name', standingOfMaker.as('maker')])
    .where('r.account_id', '=', account_id)
    .orderBy('r.name')

export async function listRobots(db: Db, actor: Actor): Promise<Robot[]> {
  const rows = await robotsOf(db, actor).execute()
  return rows.map(({ api_key_id, api_key_name, maker, ...row }) => ({
    ...row,
    api_key: api_key_id === null ? null : { name: api_key_name, ended: whyEnded({ api_key_id, maker }, actor.at) !== null },
    expires_at: row.expires_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }))
}

/** Throws robot_name_taken, too_many_robots, and registry_suspended where it would push. */
export async function createRobot(
  tx: Tx,
  actor: Actor,
  { name, can_push, repositories, expires_in_days }: CreateRobotBody
): Promise<RobotOnce> {
  const { account_id, at, email, person_id } = actor
  if (can_push) await needService(tx, actor)
  // One at a time on an account, for the number of robots and their names.
  await tx.selectFrom('account').select('id').where('id', '=', account_id).forNoKeyUpdate().execute()
  const robots = await listRobots(tx, actor)
  if (robots.length >= mostRobots) throw new Problem(tooManyRobots)
  if (robots.some((robot) => robot.name === name)) throw new Problem(robotNameTaken)
  const id = newId(robotId, at.getTime())
  const { secret, prefix, hash } = makeSecret('mhr')
  const expires_at = expires_in_days === null ? null : new Date(at.getTime() + expires_in_days * 86_400_000)
  const given = { account_id, id, name, prefix, hash, can_push, repositories: [...new Set(repositories)], expires_at }
  await tx
    .insertInto('registry_robot')
    .values({ ...given, created_by: email, person_id, api_key_id: actor.key?.id ?? null, created_at: at })
    .execute()
  await record(tx, actor, robotCreated, { robot_id: id, robot_name: name, can_push })
  const made = (await listRobots(tx, actor)).find((robot) => robot.id === id)!
  return { ...made, secret }
}

export async function deleteRobot(tx: Tx, actor: Actor, id: string): Promise<void> {
  const gone = await tx
    .deleteFrom('registry_robot')
    .where('account_id', '=', actor.account_id)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
  if (!gone) throw new Problem(notFound)
  await record(tx, actor, robotDeleted, { robot_id: id, robot_name: gone.name })
}
