import { sql } from 'kysely'
import { createRobot } from '@masthead/contract/registry/operations'
import { rightsOf, standingOf, type Standing } from '../developers/index.ts'
import { actorMay } from '../kernel/app.ts'

/** How things stand with whoever made a robot, which the query calls `r`. */
export const standingOfMaker = standingOf(sql.ref('r.account_id'), sql.ref('r.person_id'), sql.ref('r.api_key_id'))

type Made = { api_key_id: string | null; maker: Standing | null }

/** A robot that was made with an API key opens no more than that, and nothing once it ends: why that is so, in words. Null: it goes on. */
export function whyEnded({ api_key_id, maker }: Made, at: Date): string | null {
  if (api_key_id === null) return null
  const rights = maker ? rightsOf(maker, at) : 'person_gone'
  if (rights === 'key_ended' || rights === 'person_gone') return 'The API key that made this robot has ended, and the robot with it'
  return actorMay(rights, createRobot.access) ? null : `The API key that made this robot no longer has the scope ${createRobot.access}`
}
